import { chmod, mkdir, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  currentPrintGeneration,
  resolvePrintSettings,
} from '../contracts/processes/print-settings.ts';
import { type Network, systemNetwork } from '../network/network.ts';
import { type BrowserPool, createBrowserPool, type PoolStats } from './browser/browser-pool.ts';
import { canReadProcesses } from './browser/browser-processes.ts';
import { type BrowserSettings, pickBrowserSettings } from './browser/chromium-flags.ts';
import { type FirstBrowser, launchFirstBrowser } from './browser/first-browser.ts';
import { hashFontSet } from './browser/font-set.ts';
import { type Browser, launchBrowser } from './browser/launch-browser.ts';
import { type EngineName, loadEngine } from './browser/load-engine.ts';
import type { PrintRequest, PrintResult } from './print-request.ts';
import type { DocumentFiles } from './proxy/proxy-job.ts';
import { createCertificates } from './proxy/tls-termination.ts';
import { RenderError } from './render-error.ts';
import type { RendererLog } from './renderer-log.ts';
import { runJob } from './run-job.ts';

/** Browser settings of a version that sets no print options. Most versions set none. */
const defaultSettings = pickBrowserSettings(resolvePrintSettings({}, currentPrintGeneration));

export type { DocumentFiles, PrintRequest, PrintResult, RendererLog };
export { RenderError };

export interface RendererOptions {
  readonly engine: EngineName;
  /**
   * Path of a Chromium. The headless shell prints 3.5 times faster than the full browser. If undefined, the
   * Chromium that comes with the engine is used. Only the engine `playwright` has one. */
  readonly executablePath: string | undefined;
  /** Number of jobs printed at the same time. */
  readonly slots: number;
  /** The maximum number of browsers that are kept. It is at least the number of slots. */
  readonly browsers: number;
  /** Belongs to this renderer alone: emptied at start, removed at the end. */
  readonly workFolder: string;
  /** Each `host:port` that pages may reach although its address is private. */
  readonly egressAllow: readonly string[];
  readonly allowNoSandbox: boolean;
  /** The maximum memory of one browser with all its processes. */
  readonly memoryLimitBytes: number;
  readonly log: RendererLog;
  /** Resolves names and opens connections for pages: the system's network unless a test replaces it. */
  readonly network?: Network;
}

export interface Renderer extends AsyncDisposable {
  /** Such as `156.0.8078.79`. */
  readonly chromiumVersion: string;
  /** Hash of the installed fonts; empty where fontconfig is missing. */
  readonly fontSetHash: string;
  /**
   * Prints a document and passes the PDF to `store` while it leaves Chromium. Rejects with {@link RenderError} when the document
   * or its browser failed, with the reason of the request's signal when that aborts, and with an error of `store` or of the
   * package's files unchanged.
   */
  print<T>(request: PrintRequest, store: (pdf: Readable) => Promise<T>): Promise<PrintResult<T>>;
  stats(): PoolStats;
}

/**
 * Starts a renderer with one running browser, which is ready for the first job.
 *
 * @throws Error when Chromium does not start, or has no sandbox and needs one
 */
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
  warnIfMemoryIsNotLimited(options.log);
  const launch = await createLauncher(options);
  const first = await launchFirstBrowser((sandbox) => launch(sandbox, defaultSettings), options);
  const pool = createPool(options, launch, first);
  await pool.warmUp();
  return {
    chromiumVersion: first.browser.version,
    fontSetHash: await hashFontSet(),
    stats: pool.stats,
    print: (request, store) => runJob(pool, options, request, store),
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]();
      await removeWorkFolder(options.workFolder);
    },
  };
}

type Launch = (sandbox: boolean, settings: BrowserSettings) => Promise<Browser>;

/** Prepares all that is the same for each browser of the renderer. */
async function createLauncher(options: RendererOptions): Promise<Launch> {
  const certificates = await createCertificates();
  const network = options.network ?? systemNetwork;
  const engine = await loadEngine(options.engine);
  const executablePath = options.executablePath ?? engine.findChromium();
  if (!executablePath) throw new Error(noChromium);
  return (sandbox, settings) =>
    launchBrowser({
      ...options,
      engine,
      executablePath,
      sandbox,
      settings,
      certificates,
      network,
    });
}

/** The pool's first launch is that of `warmUp`, with the default settings: it gets the browser that is running already. */
function createPool(
  options: RendererOptions,
  launch: Launch,
  { browser, sandbox }: FirstBrowser,
): BrowserPool {
  const launched = [browser];
  return createBrowserPool({
    ...options,
    defaultSettings,
    launch: async (settings) => launched.pop() ?? (await launch(sandbox, settings)),
  });
}

function warnIfMemoryIsNotLimited(log: RendererLog): void {
  if (canReadProcesses) return;
  log.warn(
    { platform: process.platform },
    'the memory of browsers is not limited on this platform',
  );
}

async function emptyWorkFolder(workFolder: string): Promise<void> {
  await removeWorkFolder(workFolder);
  await mkdir(workFolder, { recursive: true });
  // Chromium may run as another user (see launch-browser.ts), which must reach its folder in here.
  await chmod(workFolder, 0o711);
}

/** Retries, because a process that was just killed may still be writing. */
const removeWorkFolder = (workFolder: string): Promise<void> =>
  rm(workFolder, { recursive: true, force: true, maxRetries: 5 });

const noChromium =
  'No Chromium was found. Set CHROMIUM_PATH, or set RENDERER_ENGINE=playwright and install one with `npx playwright install --only-shell chromium`.';
