import { join } from 'node:path';
import { createServer, type Server } from './server.ts';

const projectFolder = join(import.meta.dirname, '../..');
/** Node keeps compiled code here, so that the next start is faster. `npm ci` empties the folder. */
const compileCacheFolder = join(projectFolder, 'node_modules/.cache/node-compile-cache');

export interface ChildOptions {
  readonly name: 'api' | 'worker';
  /** The folder for the log. */
  readonly directory: string;
  /** The whole environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  /** How long the process may take to finish its work after SIGTERM. Then it is killed. */
  readonly stopTimeoutMs: number;
  /** Without this function the process counts as ready as soon as it runs. */
  readonly isReady?: () => Promise<boolean>;
}

/** Creates a server that runs `<name>/main.ts`. Its log goes to a file; warnings and errors also go to the console. */
export function createChild(options: ChildOptions): Server {
  const main = join(projectFolder, options.name, 'main.ts');
  return createServer({
    name: options.name,
    directory: options.directory,
    cwd: projectFolder,
    mark: main,
    command: process.execPath,
    args: [main],
    env: { NODE_COMPILE_CACHE: compileCacheFolder, ...options.env },
    stopTimeoutMs: options.stopTimeoutMs,
    isReady: options.isReady ?? (async () => true),
    onLine: (line) => printIfProblem(options.name, line),
  });
}

/** The levels of pino, as numbers or names, that are shown on the console. */
const shownLevels = new Map<unknown, string>([
  [40, 'warning'],
  [50, 'error'],
  [60, 'error'],
  ['warn', 'warning'],
  ['error', 'error'],
  ['fatal', 'error'],
]);

/** Prints warnings and errors. Lines that are not JSON come from Node itself: its warnings and the stack of a crash. */
function printIfProblem(name: string, line: string): void {
  try {
    const { level, msg, err } = JSON.parse(line);
    const shownLevel = shownLevels.get(level);
    if (shownLevel)
      console.error(`  ${name} ${shownLevel}: ${[msg, err?.message].filter(Boolean).join(': ')}`);
  } catch {
    console.error(`  ${name}: ${line}`);
  }
}
