import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { connectionOptions } from '../temporal/connection.ts';

const retryMs = 1_000;

/**
 * Connects to Temporal. Retries until Temporal answers, because the parts of the service may start in any order.
 *
 * @throws the reason of `stopping` if that aborts first
 */
export async function connectWorker(
  config: Config['temporal'],
  log: Logger,
  stopping: AbortSignal,
): Promise<NativeConnection> {
  for (;;) {
    try {
      return await NativeConnection.connect(connectionOptions(config));
    } catch (error) {
      log.warn(
        { err: error, address: config.address },
        'Temporal does not answer; the worker tries to connect again',
      );
      await sleep(retryMs, undefined, { signal: stopping }).catch(() => {});
      stopping.throwIfAborted();
    }
  }
}
