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
