import { join } from 'node:path';
import { createServer, type Server } from './server.ts';

const PROJECT = join(import.meta.dirname, '../..');
// Node keeps compiled code here, so that the next start loads it quicker. `npm ci` empties it.
const COMPILE_CACHE = join(PROJECT, 'node_modules/.cache/node-compile-cache');

export interface ChildOptions {
  name: 'api' | 'worker';
  /** Keeps the log. */
  directory: string;
  /** All that the process is told. */
  env: NodeJS.ProcessEnv;
  /** How long it may finish what it does after SIGTERM. */
  stopTimeoutMs: number;
  isReady?: () => Promise<boolean>;
}

/** One of our own processes, `<name>/main.ts`: its log goes to a file, its warnings and errors also to the console. */
export function createChild(options: ChildOptions): Server {
  const main = join(PROJECT, options.name, 'main.ts');
  return createServer({
    name: options.name,
    directory: options.directory,
    cwd: PROJECT,
    mark: main,
    command: process.execPath,
    args: [main],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...options.env },
    stopTimeoutMs: options.stopTimeoutMs,
    isReady: options.isReady ?? (async () => true),
    onLine: (line) => showTrouble(options.name, line),
  });
}

const TROUBLE = new Map<unknown, string>([
  [40, 'warning'],
  [50, 'error'],
  [60, 'error'],
  ['warn', 'warning'],
  ['error', 'error'],
  ['fatal', 'error'],
]);

/** Lines that are no JSON come from Node itself: warnings and the stack of a crash. */
function showTrouble(name: string, line: string): void {
  try {
    const { level, msg, err } = JSON.parse(line);
    const trouble = TROUBLE.get(level);
    if (trouble)
      console.error(`  ${name} ${trouble}: ${[msg, err?.message].filter(Boolean).join(': ')}`);
  } catch {
    console.error(`  ${name}: ${line}`);
  }
}
