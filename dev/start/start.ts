/** `npm start`: starts everything, renders one document as a demonstration, and serves until it gets a stop signal. */
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { adminPath, dashboardPath } from '../../contracts/processes/web-addresses.ts';
import * as state from '../launcher/state.ts';
import { listenForStop } from '../launcher/stop-signals.ts';
import { failWhenOneEnds, keepRunning } from '../servers/keep-running.ts';
import { type Server, stopLeftovers } from '../servers/server.ts';
import { deployAndRenderExample } from './deploy-example.ts';
import { ensureFirstWorkspace } from './first-workspace.ts';
import { createChildren, createServers, defaultPorts, findApiPort } from './parts.ts';

const example = join(import.meta.dirname, '../../examples/invoice');
const pdfFile = join(state.stateFolder, 'invoice.pdf');

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } });
  state.createStateFolder();
  if (values.fresh) await state.stopRunning();
  const running = state.readLock();
  if (running) {
    console.error(
      `The service already runs at ${running.url} (pid ${running.pid}): stop it, or use it as it is.`,
    );
    process.exitCode = 1;
    return;
  }
  const owned: Server[] = [];
  using stop = listenForStop(() => {
    for (const server of owned) void server.kill('SIGKILL');
    process.exit(130);
  });
  try {
    state.writeLock();
    await stopAllLeftovers();
    if (values.fresh) state.deleteState();
    const started = startAll(owned, stop.signal);
    await Promise.race([started, stop.requested]);
    // A stop signal during the start makes it fail. Nobody needs to see that error.
    started.catch(() => {});
    await stop.requested;
    console.log('\n  stopping');
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    await stopAll(owned);
    state.removeLock();
  }
}

/**
 * Starts the servers for which the environment has no address, then the API and the worker, and renders the first document.
 * Each server is added to `owned` before it runs, so that the caller can stop it.
 */
async function startAll(owned: Server[], signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const secrets = state.readOrCreateSecrets();
  const ports = await state.choosePorts(defaultPorts());
  const port = await findApiPort(ports.api);
  const apiUrl = process.env.PUBLIC_URL ?? `http://127.0.0.1:${port}`;
  state.writeLock(apiUrl);

  const servers = await createServers(ports, secrets);
  signal.throwIfAborted();
  owned.push(...servers.all);
  await Promise.all(servers.all.map((server) => timed(server.name, () => server.start())));

  const env: NodeJS.ProcessEnv = {
    SECRET_KEY: secrets.secretKey,
    ADMIN_TOKEN: secrets.adminToken,
    ...process.env,
    ...servers.env,
    PORT: String(port),
    PUBLIC_URL: apiUrl,
    TEMPORAL_UI_URL: servers.temporalUiUrl,
  };
  signal.throwIfAborted();
  const children = createChildren(env, port);
  owned.push(...children);
  await timed('worker and api', () => Promise.all(children.map((child) => child.start())));

  const { temporalUiUrl } = servers;
  const rendering = renderFirstDocument({ env, apiUrl, temporalUiUrl });
  const links = await Promise.race([rendering, failWhenOneEnds(owned)]);
  signal.throwIfAborted();
  for (const server of owned) void keepRunning(server);
  printSummary({ ...links, apiUrl, temporalUiUrl, elapsedMs: performance.now() - startedAt });
}

interface Addresses {
  readonly apiUrl: string;
  readonly temporalUiUrl: string | undefined;
}

/** Creates the first workspace, its API key and its owner, writes the environment file, and renders the example. */
async function renderFirstDocument({
  env,
  apiUrl,
  temporalUiUrl,
}: Addresses & { env: NodeJS.ProcessEnv }): Promise<Links> {
  const known = { ...state.readEnvironmentFile(), ...env };
  const { apiKey, signInLink } = await ensureFirstWorkspace(state.definedOnly(known), apiUrl);
  const baseUrl = `${apiUrl}/v1`;
  state.writeEnvironmentFile({
    DRS_BASE_URL: baseUrl,
    DRS_API_KEY: apiKey,
    DRS_ADMIN_URL: `${apiUrl}${adminPath}`,
    DRS_ADMIN_TOKEN: env.ADMIN_TOKEN,
    DRS_DASHBOARD_URL: `${apiUrl}${dashboardPath}`,
    TEMPORAL_ADDRESS: env.TEMPORAL_ADDRESS,
    TEMPORAL_UI_URL: temporalUiUrl,
    DATABASE_URL: env.DATABASE_URL,
    AZURE_STORAGE_CONNECTION_STRING: env.AZURE_STORAGE_CONNECTION_STRING,
  });
  try {
    const files = { example, pdfFile, versionFile: state.exampleVersionFile };
    const pdfLink = await timed('first document', () =>
      deployAndRenderExample({ baseUrl, apiKey, ...files }),
    );
    return { pdfLink, signInLink };
  } catch (error) {
    // The service can be used all the same.
    const reason = error instanceof Error ? error.message : error;
    return { pdfLink: `could not be rendered: ${reason}`, signInLink };
  }
}

function printSummary({ pdfLink, signInLink, apiUrl, temporalUiUrl, elapsedMs }: Summary): void {
  const toRelative = (path: string) => relative(process.cwd(), path);
  console.log(`
  The document rendering service runs; it started in ${seconds(elapsedMs)}.

  First PDF      ${toRelative(pdfFile)}
                 ${pdfLink}
  Dashboard      ${apiUrl}${dashboardPath}; this link signs you in, once, within 15 minutes:
                 ${signInLink}
  API            ${apiUrl}/v1
  API reference  ${apiUrl}/docs/
  Temporal UI    ${temporalUiUrl ?? 'the one of your Temporal service'}
  Key and more   ${toRelative(state.environmentFile)}
  Logs           ${toRelative(state.logsFolder)}/

  Ctrl-C stops everything; \`npm start -- --fresh\` deletes all data and starts anew.
`);
}

interface Links {
  /** A link to the first PDF, or the reason why there is none. */
  readonly pdfLink: string;
  /** Signs the first owner in. */
  readonly signInLink: string;
}

type Summary = Addresses & Links & { readonly elapsedMs: number };

/** Runs one step and prints how long it took. */
async function timed<T>(name: string, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await run();
  console.log(`  ${name.padEnd(15)}${seconds(performance.now() - startedAt)}`);
  return result;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Stops the processes that an earlier, killed launcher has left: first the API and the worker, then the servers that they use. */
async function stopAllLeftovers(): Promise<void> {
  for (const folder of ['logs', 'azurite', 'temporal', 'postgres']) {
    await stopLeftovers(join(state.stateFolder, folder));
  }
}

/** Stops the API, then the worker, then the servers, which do not use each other. */
async function stopAll(owned: Server[]): Promise<void> {
  for (const name of ['api', 'worker']) {
    await owned.find((server) => server.name === name)?.stop();
  }
  await Promise.all(owned.map((server) => server.stop()));
}

await main();
