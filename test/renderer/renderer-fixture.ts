import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright';
import { readExample } from '../../bench/example.ts';
import type { RenderEvent } from '../../contracts/logs.ts';
import {
  currentPrintGeneration,
  resolvePrintSettings,
} from '../../contracts/processes/print-settings.ts';
import { type EngineName, engineNames } from '../../renderer/browser/load-engine.ts';

import {
  createRenderer,
  type DocumentFiles,
  type PrintRequest,
  type PrintResult,
  RenderError,
  type Renderer,
  type RendererLog,
  type RendererOptions,
} from '../../renderer/renderer.ts';

export { processStatus } from '../../renderer/browser/browser-processes.ts';

/** Longer than any wait in a test should take. A wait that reaches this limit fails the test. */
const waitLimitMs = 20_000;

const silent = (): void => undefined;
const log: RendererLog = { debug: silent, info: silent, warn: silent, error: console.error };

/** Finds a Chromium: at `CHROMIUM_PATH`, else the one of Playwright, else the headless shell of the system. */
export function chromiumPath(): string {
  const candidates = [
    process.env.CHROMIUM_PATH,
    chromium.executablePath(),
    '/usr/bin/chromium-headless-shell',
  ];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) throw new Error('No Chromium was found: set CHROMIUM_PATH.');
  return found;
}

const chosenEngine = engineNames.find((name) => name === process.env.RENDERER_ENGINE);
if (process.env.RENDERER_ENGINE && !chosenEngine)
  throw new Error(`RENDERER_ENGINE must be one of ${engineNames.join(', ')}.`);
/** The engine of the suite that runs now. */
let engine: EngineName = chosenEngine ?? 'pipe';
export const engineUnderTest = (): EngineName => engine;

/**
 * Defines a suite that `npm test` runs with each engine. All other suites run with the pipe only, because all of them together take
 * minutes. `RENDERER_ENGINE=playwright npm test -- test/renderer` runs every suite with that engine.
 */
export function describeForEngines(title: string, suite: (this: Mocha.Suite) => void): void {
  for (const name of chosenEngine ? [chosenEngine] : engineNames)
    describe(`${title} (engine: ${name})`, function () {
      const previous = engine;
      before(() => {
        engine = name;
      });
      suite.call(this);
      after(() => {
        engine = previous;
      });
    });
}

let lastFolder = 0;

export async function startRenderer(options: Partial<RendererOptions> = {}): Promise<Renderer> {
  return await createRenderer({
    engine,
    executablePath: chromiumPath(),
    slots: 2,
    browsers: 3,
    workFolder: join(tmpdir(), `renderer-test-${process.pid}-${++lastFolder}`),
    egressAllow: [],
    allowNoSandbox: false,
    memoryLimitBytes: 1024 ** 3,
    log,
    ...options,
  });
}

/** MIME types by file extension. */
const mimeTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/** A package with these files, by path. */
export const packageOf = (
  files: Readonly<Record<string, string | Uint8Array>>,
): PrintRequest['document'] => ({ type: 'package', route: 'index.html', files: filesOf(files) });

/** A package in which files below `hang/` are never answered. */
export function packageWithHangingFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
): PrintRequest['document'] {
  const { has, read } = filesOf(files);
  const readOrHang: DocumentFiles['read'] = (path) =>
    path.startsWith('hang/') ? new Promise(() => undefined) : read(path);
  return { type: 'package', route: 'index.html', files: { has, read: readOrHang } };
}

/** A package in which files below `slow/` are answered after a delay. */
export function packageWithSlowFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  delayMs: number,
): PrintRequest['document'] {
  const { has, read } = filesOf(files);
  const readLate: DocumentFiles['read'] = async (path) => {
    if (path.startsWith('slow/')) await sleep(delayMs);
    return read(path);
  };
  return { type: 'package', route: 'index.html', files: { has, read: readLate } };
}

const filesOf = (files: Readonly<Record<string, string | Uint8Array>>): DocumentFiles => ({
  has: (path) => files[path] !== undefined,
  read: async (path) => {
    const content = files[path];
    if (content === undefined) return undefined;
    const mime = mimeTypes[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    return { bytes: Buffer.from(content), mime };
  },
});

export const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Test</title>${head}</head><body>${body}</body></html>`;

export const script = (source: string): string => page(`<p>Hello</p><script>${source}</script>`);

let lastJob = 0;

/** The fields of a print request that a test sets. */
export interface Job extends Partial<Omit<PrintRequest, 'pdf' | 'limits'>> {
  readonly pdf?: unknown;
  /** Generation of the print defaults; by default the current one. */
  readonly generation?: number;
  readonly limits?: Partial<PrintRequest['limits']>;
}

/** Creates a request with a default for each field that `job` does not set. */
export function createPrintRequest(
  document: PrintRequest['document'] | string,
  job: Job = {},
): PrintRequest {
  lastJob += 1;
  return {
    jobId: `job_01test${lastJob}`,
    workspaceId: 'ws_test',
    document: typeof document === 'string' ? packageOf({ 'index.html': document }) : document,
    payload: { mime: 'application/json', bytes: Buffer.from('{}') },
    allowExternalNetwork: false,
    signal: new AbortController().signal,
    onEvent: silent,
    ...job,
    pdf: resolvePrintSettings(job.pdf ?? {}, job.generation ?? currentPrintGeneration),
    limits: {
      renderTimeoutMs: waitLimitMs,
      loadTimeoutMs: waitLimitMs,
      maxOutputBytes: 100 * 1024 ** 2,
      ...job.limits,
    },
  };
}

export interface PrintedPdf extends PrintResult<Buffer> {
  /** The PDF as Latin-1 text, to search its objects. */
  readonly text: string;
  readonly events: readonly RenderEvent[];
}

/** Prints a document, and collects its log unless `job` has an `onEvent`. */
export async function print(
  renderer: Renderer,
  document: PrintRequest['document'] | string,
  job: Job = {},
  store: (pdf: Readable) => Promise<Buffer> = buffer,
): Promise<PrintedPdf> {
  const events: RenderEvent[] = [];
  const onEvent = (event: RenderEvent): void => void events.push(event);
  const result = await renderer.print(createPrintRequest(document, { onEvent, ...job }), store);
  return { ...result, text: result.stored.toString('latin1'), events };
}

/** Prints the document of a folder of examples/ with its payload and options. */
export async function printExample(renderer: Renderer, name: string): Promise<PrintedPdf> {
  const { render, pdf, files, payload } = await readExample(name);
  const document: PrintRequest['document'] = {
    type: 'package',
    route: render.route ?? 'index.html',
    files: { has: (path) => files.has(`/${path}`), read: async (path) => files.get(`/${path}`) },
  };
  const bytes = Buffer.from(JSON.stringify(payload));
  return await print(renderer, document, { pdf, payload: { mime: 'application/json', bytes } });
}

/** Messages that the document wrote with `console.error`. */
export const consoleErrors = ({ events }: PrintedPdf): string[] =>
  events.filter(({ code }) => code === 'console_error').map(({ message }) => message);

/** Warnings of the log: those with one code, or all except the ones that the page itself logged. */
export const warningsOf = (events: readonly RenderEvent[], only?: RenderEvent['code']): string[] =>
  events
    .filter(({ level, code }) => level === 'warn' && (only ? code === only : !isConsole(code)))
    .map(({ message }) => message);

const isConsole = (code: RenderEvent['code']): boolean => code?.startsWith('console_') ?? false;

/** Waits until a print fails, and returns its RenderError. */
export async function renderErrorOf(printing: Promise<unknown>): Promise<RenderError> {
  const outcome = await printing.then(
    () => new Error('The document was printed.'),
    (error: unknown) => error,
  );
  if (outcome instanceof RenderError) return outcome;
  throw outcome;
}

/** Polls until the condition is true. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + waitLimitMs;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error('The condition did not become true in time.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the work folder for a renderer whose processes a test examines. */
export const workFolderFor = (name: string): string =>
  join(tmpdir(), `renderer-${name}-${process.pid}`);

export interface ChromiumProcess {
  readonly pid: number;
  /** `browser`, `renderer`, `gpu-process` …; a wrapper script counts as a browser. */
  readonly type: string;
}

/** Lists all processes of the browsers of one renderer. Each browser is a process group. */
export async function listProcesses(workFolder: string): Promise<ChromiumProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(
    pids.map(async (pid) => ({
      pid,
      command: await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''),
      group: await groupOf(pid),
    })),
  );
  const browsers = all.filter(({ command }) => command.includes(`--user-data-dir=${workFolder}/`));
  const groups = new Set(browsers.map(({ group }) => group));
  return all
    .filter(({ group }) => group !== undefined && groups.has(group))
    .map(({ pid, command }) => ({ pid, type: /--type=([\w-]+)/.exec(command)?.[1] ?? 'browser' }));
}

async function groupOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === undefined ? undefined : Number(group);
}

/** Kills the Chromium processes of this type, such as `gpu-process`, that belong to the renderer with this work folder. */
export async function killProcesses(workFolder: string, type: string): Promise<void> {
  for (const one of await listProcesses(workFolder))
    if (one.type === type) process.kill(one.pid, 'SIGKILL');
}
