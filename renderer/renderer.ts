import { chmod, mkdir, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  currentPrintGeneration,
  resolvePrintSettings,
} from '../contracts/processes/print-settings.ts';
import { type Network, systemNetwork } from '../network/network.ts';
import { createBrowserPool, type PoolStats } from './browser/browser-pool.ts';
import { browserSettings } from './browser/chromium-flags.ts';
import { hashFontSet } from './browser/font-set.ts';
import { type Browser, launchBrowser } from './browser/launch-browser.ts';
import { type EngineName, loadEngine } from './browser/load-engine.ts';
import { canReadProcesses } from './browser/process-tree.ts';
import { proveSandbox } from './browser/sandbox-proof.ts';
import type { PrintRequest, PrintResult } from './print-request.ts';
import type { DocumentFiles } from './proxy/proxy-job.ts';
import { createCertificates } from './proxy/tls-termination.ts';
import { RenderError } from './render-error.ts';
import type { RendererLog } from './renderer-log.ts';
import { runJob } from './run-job.ts';

/** Most versions ask for nothing else. */
const usualSettings = browserSettings(resolvePrintSettings({}, currentPrintGeneration));

export type { DocumentFiles, PrintRequest, PrintResult, RendererLog };
export { RenderError };

export interface RendererOptions {
  readonly engine: EngineName;
  /** A Chromium; the headless shell prints 3.5 times faster than the full one. Undefined: the engine's own. */
  readonly executablePath: string | undefined;
  /** Jobs printed at once. */
  readonly slots: number;
  /** Most browsers kept, at least as many as slots. */
  readonly browsers: number;
  /** Belongs to this renderer alone: emptied at start, removed at the end. */
  readonly workFolder: string;
  /** `host:port` that pages may reach although it is private. */
  readonly egressAllow: readonly string[];
  readonly allowNoSandbox: boolean;
  /** Cap of the memory of one browser with all its processes. */
  readonly memoryLimitBytes: number;
  readonly log: RendererLog;
  /** How pages reach the outside; the system's unless a test says otherwise. */
  readonly network?: Network;
}

export interface Renderer extends AsyncDisposable {
  /** Such as `156.0.8078.79`. */
  readonly chromiumVersion: string;
  /** Hash of the installed fonts; empty where fontconfig is missing. */
  readonly fontSetHash: string;
  /**
   * Prints a document and hands the PDF to `store` while it leaves Chromium. Rejects with {@link RenderError} when the document
   * or its browser failed, with the signal's reason when cancelled, and with what `store` rejected with, unchanged.
   */
  print<T>(request: PrintRequest, store: (pdf: Readable) => Promise<T>): Promise<PrintResult<T>>;
  stats(): PoolStats;
}

/** Starts Chromium once, to prove that it works and is sandboxed, and keeps it warm for the first job. */
export async function createRenderer(options: RendererOptions): Promise<Renderer> {
  await emptyWorkFolder(options.workFolder);
  try {
    return await startRenderer(options);
  } catch (error) {
    await removeWorkFolder(options.workFolder);
    throw error;
  }
}

async function startRenderer(options: RendererOptions): Promise<Renderer> {
  const { workFolder, log } = options;
  if (!canReadProcesses)
    log.warn({ platform: process.platform }, 'memory of browsers is not watched on this platform');
  const certificates = await createCertificates();
  const network = options.network ?? systemNetwork;
  const engine = await loadEngine(options.engine);
  const executablePath = options.executablePath ?? engine.findChromium();
  if (!executablePath) throw new Error(noChromium);
  const launch = (sandbox: boolean, settings = usualSettings): Promise<Browser> =>
    launchBrowser({
      ...options,
      engine,
      executablePath,
      sandbox,
      settings,
      certificates,
      network,
    });
  const { browser: first, sandbox } = await firstBrowser(launch, options);
  const warm = [first];
  const pool = createBrowserPool({
    ...options,
    usualSettings,
    // The first is asked for by `warmUp`, with the usual settings.
    launch: async (settings) => warm.pop() ?? (await launch(sandbox, settings)),
  });
  await pool.warmUp();

  return {
    chromiumVersion: first.version,
    fontSetHash: await hashFontSet(),
    stats: pool.stats,
    print: (request, store) => runJob(pool, options, request, store),
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]();
      await removeWorkFolder(workFolder);
    },
  };
}

async function emptyWorkFolder(workFolder: string): Promise<void> {
  await removeWorkFolder(workFolder);
  await mkdir(workFolder, { recursive: true });
  // Chromium may run as another user (see launch-browser.ts), whose folders are inside.
  await chmod(workFolder, 0o711);
}

/** Retried: a process that was just killed may still be writing. */
const removeWorkFolder = (workFolder: string): Promise<void> =>
  rm(workFolder, { recursive: true, force: true, maxRetries: 5 });

async function firstBrowser(
  launch: (sandbox: boolean) => Promise<Browser>,
  { allowNoSandbox, log }: RendererOptions,
): Promise<{ browser: Browser; sandbox: boolean }> {
  const sandboxed = await launch(true).catch((error: Error) => error);
  const refusal = sandboxed instanceof Error ? sandboxed : await missingSandbox(sandboxed, log);
  if (!(sandboxed instanceof Error) && !refusal) return { browser: sandboxed, sandbox: true };

  // If this fails too, the sandbox is not the reason, and the error is about the real one.
  const browser = await launch(false);
  if (allowNoSandbox) {
    log.warn({ err: refusal }, noSandboxWarning);
    return { browser, sandbox: false };
  }
  await browser[Symbol.asyncDispose]();
  throw new Error(`${noSandboxAdvice} (${refusal?.message})`, { cause: refusal });
}

/** Why the browser is not sandboxed, in which case it is closed; undefined: it is. */
async function missingSandbox(browser: Browser, log: RendererLog): Promise<Error | undefined> {
  const page = await browser.openPage();
  const proof = await proveSandbox(browser);
  await page.close();
  if (proof === 'unknown')
    log.warn({ platform: process.platform }, 'the sandbox cannot be proved on this platform');
  if (proof !== 'not_sandboxed') return undefined;
  await browser[Symbol.asyncDispose]();
  return new Error('its renderer has no system call filter or no namespaces of its own');
}

const noChromium =
  'There is no Chromium: give its path, or choose the engine playwright and install one by `npx playwright install --only-shell chromium`.';

const noSandboxAdvice =
  "Chromium's sandbox is not available, and without it a hostile document acts as the user of this worker. Allow unprivileged " +
  'user namespaces (sysctl kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0; in Docker, a ' +
  'seccomp profile that permits clone and unshare), or, if every document that is rendered here is trusted, set ' +
  'RENDERER_ALLOW_NO_SANDBOX=1.';

const noSandboxWarning =
  'CHROMIUM RUNS WITHOUT ITS SANDBOX: a document that exploits a bug of the browser acts as the user of this worker, and reads ' +
  'what that user can read: secrets, and the documents of other workspaces';
