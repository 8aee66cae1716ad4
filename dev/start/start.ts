// `npm start`: brings everything up, shows one document made, and serves until it is told to stop.
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { adminPath, dashboardPath } from '../../contracts/processes/web-addresses.ts';
import { failWhenOneEnds, keepRunning } from '../servers/keep-running.ts';
import { type Server, stopLeftovers } from '../servers/server.ts';
import * as state from '../state.ts';
import { listenForStop } from '../stop-signals.ts';
import { demonstrate } from './demonstrate.ts';
import { ensureFirstWorkspace } from './first-workspace.ts';
import { apiPort, defaultPorts, makeChildren, makeServers } from './parts.ts';

const PDF_FILE = join(state.STATE_FOLDER, 'invoice.pdf');

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } });
  state.makeStateFolder();
  if (values.fresh) await state.stopRunning();
  const running = state.readLock();
  if (running) {
    console.error(`already running at ${running.url} (pid ${running.pid})`);
    process.exitCode = 1;
    return;
  }
  const owned: Server[] = [];
  using stop = listenForStop(() => {
    for (const server of owned) void server.kill('SIGKILL');
    process.exit(130); // asked twice: nothing is waited for any more
  });
  try {
    state.writeLock();
    await stopAllLeftovers();
    if (values.fresh) state.forgetState();
    const up = bringUp(owned, stop.signal);
    await Promise.race([up, stop.requested]);
    up.catch(() => {}); // a part that is stopped while it starts has nothing to tell
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

/** Starts what is not given, in the order of need, and shows that it works. `owned` has each part before it runs. */
async function bringUp(owned: Server[], signal: AbortSignal): Promise<void> {
  const from = performance.now();
  const secrets = state.readOrMakeSecrets();
  const ports = await state.choosePorts(defaultPorts());
  const port = await apiPort(ports.api);
  const apiUrl = process.env.PUBLIC_URL ?? `http://127.0.0.1:${port}`;
  state.writeLock(apiUrl);

  const servers = await makeServers(ports, secrets);
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
  const children = makeChildren(env, port);
  owned.push(...children);
  await timed('worker and api', () => Promise.all(children.map((child) => child.start())));

  const { temporalUiUrl } = servers;
  const first = makeFirstDocument({ env, apiUrl, temporalUiUrl });
  const made = await Promise.race([first, failWhenOneEnds(owned)]);
  signal.throwIfAborted();
  for (const server of owned) void keepRunning(server);
  printSummary({ ...made, apiUrl, temporalUiUrl, tookMs: performance.now() - from });
}

interface Addresses {
  apiUrl: string;
  temporalUiUrl: string | undefined;
}

/** Makes the first workspace, its key and its owner, writes them down, and prints the example; returns the links to both. */
async function makeFirstDocument({
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
    const example = { baseUrl, apiKey, file: PDF_FILE };
    return { link: await timed('first document', () => demonstrate(example)), signInLink };
  } catch (error) {
    // The service serves all the same.
    return { link: `not made: ${error instanceof Error ? error.message : error}`, signInLink };
  }
}

function printSummary({ link, signInLink, apiUrl, temporalUiUrl, tookMs }: Summary): void {
  const here = (path: string) => relative(process.cwd(), path);
  console.log(`
  The document rendering service is up, in ${seconds(tookMs)}.

  First PDF      ${here(PDF_FILE)}
                 ${link}
  Dashboard      ${apiUrl}${dashboardPath}; this link signs you in once, within 15 minutes:
                 ${signInLink}
  API            ${apiUrl}/v1
  API reference  ${apiUrl}/docs/
  Temporal UI    ${temporalUiUrl ?? 'that of your Temporal service'}
  Key and more   ${here(state.ENVIRONMENT_FILE)}
  Logs           ${here(state.LOGS_FOLDER)}/

  Ctrl-C stops everything; \`npm start -- --fresh\` forgets everything.
`);
}

interface Links {
  /** To the first PDF, or why there is none. */
  link: string;
  /** Signs the first owner in. */
  signInLink: string;
}

type Summary = Addresses & Links & { tookMs: number };

/** Runs one step and prints what it took. */
async function timed<T>(name: string, run: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await run();
  console.log(`  ${name.padEnd(15)}${seconds(performance.now() - from)}`);
  return result;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** What a launcher that was killed has left: our own processes first, then what they use. */
async function stopAllLeftovers(): Promise<void> {
  for (const folder of ['logs', 'azurite', 'temporal', 'postgres']) {
    await stopLeftovers(join(state.STATE_FOLDER, folder));
  }
}

/** The API first, then the worker, then the servers, which do not need each other. */
async function stopAll(owned: Server[]): Promise<void> {
  for (const name of ['api', 'worker']) {
    await owned.find((server) => server.name === name)?.stop();
  }
  await Promise.all(owned.map((server) => server.stop()));
}

await main();
