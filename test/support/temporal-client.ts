import { Client, type ClientOptions, Connection } from '@temporalio/client';
import { requireEnv } from './environment.ts';

/** A connection to a Temporal server. Disposing of it closes the connection. */
export interface TestTemporalConnection extends AsyncDisposable {
  readonly connection: Connection;
  readonly client: Client;
  /** Another client on the same connection, such as one with interceptors. */
  createClient(options: ClientOptions): Client;
}

/**
 * Connects to the Temporal server that `npm test` started.
 *
 * @param env may name another server in `TEMPORAL_ADDRESS`, and the namespace in `TEMPORAL_NAMESPACE`
 */
export async function connectTemporal(
  env: NodeJS.ProcessEnv = {},
): Promise<TestTemporalConnection> {
  const namespace = env.TEMPORAL_NAMESPACE ?? 'default';
  const connection = await Connection.connect({
    address: env.TEMPORAL_ADDRESS ?? requireEnv('TEMPORAL_ADDRESS'),
  });
  const createClient = (options: ClientOptions) =>
    new Client({ connection, namespace, ...options });
  return {
    connection,
    client: createClient({}),
    createClient,
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
