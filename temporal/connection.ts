import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import type { Config } from '../config/config.ts';

/**
 * Without this, gRPC waits up to 20 s between its tries to reconnect, and workflows start that much late after an outage
 * [measured: up to 15 s].
 */
const maxReconnectBackoffMs = 1_000;

/** Time for the first connection; a call that waits longer is made again by whoever owes it. */
const connectTimeoutMs = 2_000;

/** What the API's client and the worker's connection have in common. */
export function connectionOptions(
  config: Config['temporal'],
): Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey'> {
  return {
    address: config.address,
    ...(config.clientCertificate && { tls: { clientCertPair: config.clientCertificate } }),
    ...(config.apiKey && { tls: true, apiKey: config.apiKey }),
  };
}

/** A client that connects with its first call, so that a process starts, and says why it is not ready, without Temporal. */
export function createTemporalClient(config: Config['temporal']): Client {
  const connection = Connection.lazy({
    ...connectionOptions(config),
    connectTimeout: connectTimeoutMs,
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': maxReconnectBackoffMs,
    },
  });
  return new Client({ connection, namespace: config.namespace });
}

/** Calls Temporal with a deadline of `ms` from now; the connecting before it has its own. */
export const callWithin = <T>(temporal: Client, ms: number, call: () => Promise<T>): Promise<T> =>
  temporal.connection.withDeadline(Date.now() + ms, call);

/**
 * Asks Temporal for what somebody waits for: no longer than `ms`, the connecting included.
 *
 * @throws whatever the call throws, or an error that says that there was no answer
 */
export const answerWithin = <T>(temporal: Client, ms: number, ask: () => Promise<T>): Promise<T> =>
  Promise.race([callWithin(temporal, ms, ask), rejectAfter(ms)]);

async function rejectAfter(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false });
  throw new Error(`Temporal did not answer within ${ms} ms.`);
}
