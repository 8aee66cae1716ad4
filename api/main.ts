import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Config, loadConfig } from '../config/config.ts';
import { createLog } from '../runtime/log.ts';
import { runProcess } from '../runtime/run-process.ts';
import { openStore } from '../store/store.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { createProgressReader } from '../temporal/progress.ts';
import { startReconciliation } from '../temporal/reconcile.ts';
import { startRelay } from '../temporal/relay.ts';
import { readTaskQueues } from '../temporal/task-queues.ts';
import { createApp } from './app.ts';
import type { ApiContext } from './context.ts';
import { createSignIn } from './people/sign-in.ts';
import { answerUnreadableRequests } from './unreadable-requests.ts';

/** Limits in ms for slow clients: headers within 10 s, and a whole request, such as an upload of 10 MiB, within 2 min. */
const serverLimits = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
};
/** Longer than the idle timeout of common load balancers (60 s), so that they close idle connections and not we. */
const keepAliveTimeoutMs = 65_000;

/** Starts the API process. Disposing of it stops its parts in the reverse order. */
async function startApi(config: Config): Promise<AsyncDisposable> {
  const log = createLog(config.logLevel, 'api');
  await using starting = new AsyncDisposableStack();
  const store = starting.use(await openStore(config));
  const temporal = createTemporalClient(config.temporal);
  starting.defer(() => temporal.connection.close());
  const relay = starting.use(
    startRelay({ sql: store.sql, temporal, log, publicUrl: config.http.publicUrl }),
  );
  starting.use(
    startReconciliation({
      sql: store.sql,
      temporal,
      plans: config.plans,
      retryDelaysMs: config.renderRetryDelaysMs,
      log,
      wakeRelay: relay.wake,
    }),
  );
  const publicUrl = () => config.http.publicUrl ?? addressOf(server);
  const context: ApiContext = {
    config,
    store,
    relay,
    progress: createProgressReader(temporal),
    readTaskQueues: () => readTaskQueues(temporal),
    signIn: createSignIn({ config, store, log, publicUrl }),
    log,
    publicUrl,
    temporalUiUrl: (workflowId) => workflowUrl(config.temporal, workflowId),
  };
  const { tls } = config.http;
  const app = createApp(context);
  const server: Server = tls
    ? createTlsServer({ ...serverLimits, ...tls }, app)
    : createServer(serverLimits, app);
  server.keepAliveTimeout = keepAliveTimeoutMs;
  answerUnreadableRequests(server);
  await listen(server, config);
  starting.defer(() => stopListening(server));
  log.info({ address: addressOf(server) }, 'the API listens');
  return starting.move();
}

const workflowUrl = (
  { uiUrl, namespace }: Config['temporal'],
  workflowId: string,
): string | undefined =>
  uiUrl && `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;

const listen = (server: Server, { http: { port, host } }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * Longer than any answer takes, except those of slow uploads and commits, which clients can send again. Shorter than the 30 s
 * that orchestrators allow a process to stop.
 */
const stopGraceMs = 20_000;

/** Accepts no new connections, closes idle ones, and lets requests finish. Connections that are left after the grace time are closed. */
const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const closing = setTimeout(() => server.closeAllConnections(), stopGraceMs);
    server.close(() => {
      clearTimeout(closing);
      resolve();
    });
    server.closeIdleConnections();
  });

await runProcess(() => startApi(loadConfig()));
