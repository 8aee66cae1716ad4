import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Network } from '../../network/network.ts';
import { BrowserGone } from '../cdp/browser-gone.ts';
import type { CdpSession } from '../cdp/cdp-connection.ts';
import { openPipe } from '../cdp/cdp-pipe.ts';
import { attachToSharedWorkers, openPage, type Page } from '../page/open-page.ts';
import { type EgressProxy, startEgressProxy } from '../proxy/egress-proxy.ts';
import type { Certificates } from '../proxy/tls-termination.ts';
import { type BrowserSettings, chromiumFlags } from './chromium-flags.ts';
import type { Engine, EngineConnection } from './engine.ts';

export interface LaunchOptions {
  readonly engine: Engine;
  readonly executablePath: string;
  readonly workFolder: string;
  readonly sandbox: boolean;
  readonly settings: BrowserSettings;
  readonly certificates: Certificates;
  readonly network: Network;
}

/** A running Chromium. The proxy is its only access to the network. */
export interface Browser extends AsyncDisposable {
  /** Session of the browser itself. */
  readonly cdp: CdpSession;
  openPage(): Promise<Page>;
  readonly proxy: EgressProxy;
  /** Version of Chromium, such as `156.0.8078.79`. */
  readonly version: string;
  readonly userAgent: string;
  /** Process id of the leader of the browser's process group. */
  readonly pid: number;
  /** Aborted when the process has ended, for any reason. */
  readonly gone: AbortSignal;
  /** Kills the whole process group at once. */
  kill(reason: Error): void;
}

/** User id and group id of `nobody`. Chromium runs as this user when the worker is root, because its sandbox refuses to run as root. */
const nobodyId = 65_534;
/** Chromium answers within 200 ms on an idle machine. A machine that needs longer than this limit is not usable. */
const launchTimeoutMs = 30_000;
/** After about this many characters no more of Chromium's error output is kept. They are enough to explain a failed launch. */
const maxErrorOutputLength = 4_096;

/** True if the worker is root, so that Chromium must run as another user. */
export const dropsPrivileges = (): boolean => process.getuid?.() === 0;

/**
 * Starts Chromium in a folder of its own, and connects to it by a pipe. When the worker dies, the pipe closes and Chromium ends
 * itself.
 *
 * @throws Error with the error output of Chromium when it does not start
 */
export async function launchBrowser(options: LaunchOptions): Promise<Browser> {
  const { engine, settings } = options;
  const folder = await makeProfileFolder(options.workFolder);
  const proxy = await startEgressProxy(options.certificates, options.network);
  const child = spawnChromium(options, folder, proxy.port);
  const errorOutput = collectErrorOutput(child);
  const gone = new AbortController();
  const pipe = openPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const exited = waitForExit(child).then(async (outcome) => {
    const reason = new BrowserGone(`Chromium ended (${outcome}).`);
    gone.abort(reason);
    pipe.close(reason);
    // Processes that Chromium leaves behind would end by themselves, but not at once.
    killGroup(child);
    await proxy[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  const kill = (reason: Error): void => {
    pipe.close(reason);
    killGroup(child);
  };

  try {
    const connecting = engine.connect(pipe, { folder: join(folder, 'tmp') });
    const { cdp, openBlankPage, product, userAgent } = await waitForAnswer(connecting, child);
    return {
      cdp: cdp.browser,
      openPage: async () => openPage(cdp, settings, await openBlankPage()),
      proxy,
      version: product.slice(product.indexOf('/') + 1),
      userAgent,
      pid: child.pid ?? 0,
      gone: gone.signal,
      kill,
      async [Symbol.asyncDispose]() {
        kill(new BrowserGone('Chromium was closed.'));
        await exited;
      },
    };
  } catch (cause) {
    kill(new BrowserGone('Chromium did not start.'));
    await exited;
    throw new Error(`Chromium did not start: ${errorOutput() || options.executablePath}`, {
      cause,
    });
  }
}

async function makeProfileFolder(workFolder: string): Promise<string> {
  const folder = await mkdtemp(join(workFolder, 'browser-'));
  await mkdir(join(folder, 'tmp'));
  if (!dropsPrivileges()) return folder;
  await chown(folder, nobodyId, nobodyId);
  await chown(join(folder, 'tmp'), nobodyId, nobodyId);
  await chmod(folder, 0o700);
  return folder;
}

function spawnChromium(options: LaunchOptions, folder: string, proxyPort: number): ChildProcess {
  const flags = chromiumFlags({
    settings: options.settings,
    profileFolder: folder,
    proxyPort,
    spkiHash: options.certificates.spkiHash,
    sandbox: options.sandbox,
  });
  return spawn(options.executablePath, flags, {
    // A process group of its own: Ctrl-C in a terminal does not reach it, and the whole group can be killed at once.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    cwd: folder,
    // The worker's environment is not passed on: it holds secrets, and a page must not depend on it.
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: folder,
      TMPDIR: join(folder, 'tmp'),
    },
    ...(dropsPrivileges() ? { uid: nobodyId, gid: nobodyId } : {}),
  });
}

/** Waits until Chromium has told its version and attaches to shared workers. Kills Chromium at the launch timeout. */
async function waitForAnswer(connecting: Promise<EngineConnection>, child: ChildProcess) {
  const timer = setTimeout(() => killGroup(child), launchTimeoutMs);
  try {
    const connection = await connecting;
    const { browser } = connection.cdp;
    const { product, userAgent } = await browser.send('Browser.getVersion');
    await browser.send('Target.setAutoAttach', attachToSharedWorkers);
    return { ...connection, product, userAgent };
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with the signal, exit code or error that Chromium ended with. Its pipes may stay open longer, in processes that it left behind. */
function waitForExit(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  // A binary that cannot be started never emits `exit`.
  child.on('error', (error) => resolve(error.message));
  return promise;
}

function collectErrorOutput(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < maxErrorOutputLength) text += chunk;
  });
  // A missing binary is reported only by this event.
  child.on('error', (error) => {
    text += error.message;
  });
  return () => text.trim();
}

function killGroup(child: ChildProcess): void {
  if (!child.pid) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}
