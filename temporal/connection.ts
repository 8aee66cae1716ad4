import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import type { Config } from '../config/config.ts';

/**
 * Without this, gRPC waits up to 20 s between its tries to reconnect, and after an outage workflows start late
 * [measured: by up to 15 s].
 */
const maxReconnectBackoffMs = 1_000;

/** Timeout of the first connection. Callers retry a call that failed because of it. */
const connectTimeoutMs = 2_000;

/** Options that the API's client and the worker's connection share. */
export function connectionOptions(
  config: Config['temporal'],
): Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey'> {
  return {
    address: config.address,
    ...(config.clientCertificate && { tls: { clientCertPair: config.clientCertificate } }),
    ...(config.apiKey && { tls: true, apiKey: config.apiKey }),
  };
}

/** Creates a client that connects with its first call, so that a process can start while Temporal is down. */
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

/** Calls Temporal with a deadline of `ms` from now. The first connection has a timeout of its own. */
export const callWithin = <T>(temporal: Client, ms: number, call: () => Promise<T>): Promise<T> =>
  temporal.connection.withDeadline(Date.now() + ms, call);

/**
 * Calls Temporal and waits at most `ms` for the answer, including the time to connect.
 *
 * @throws the error of the call, or an Error when there was no answer in time
 */
export const answerWithin = <T>(temporal: Client, ms: number, call: () => Promise<T>): Promise<T> =>
  Promise.race([callWithin(temporal, ms, call), rejectAfter(ms)]);

async function rejectAfter(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false });
  throw new Error(`Temporal did not answer within ${ms} ms.`);
}
