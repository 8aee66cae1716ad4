import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NODE } from './install-packages.mjs';
import { runStep } from './progress.mjs';

const PROJECT = join(import.meta.dirname, '../..');
const VITE = join(PROJECT, 'node_modules/vite/bin/vite.js');
const PAGE = join(PROJECT, 'dashboard/dist/index.html');
// What the page is made of; it takes types alone from the other rooms.
const SOURCES = ['dashboard', 'contracts', 'package-lock.json'];
// It takes 3 s.
const BUILD_TIMEOUT_MS = 2 * 60_000;

/** Builds the dashboard unless that is newer than everything it is made of; telling takes 5 ms. */
export async function ensureDashboard() {
  const newest = Math.max(...SOURCES.map((source) => changedAt(join(PROJECT, source))));
  if (changedAt(PAGE) > newest) return;
  await runStep({
    title: 'build the dashboard',
    command: NODE,
    args: [VITE, 'build', join(PROJECT, 'dashboard'), '--logLevel', 'warn'],
    timeoutMs: BUILD_TIMEOUT_MS,
  });
}

/**
 * When a file, or the newest one below a folder, was changed; 0 where there is none.
 * @param {string} path
 * @returns {number}
 */
function changedAt(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  const inside = readdirSync(path).filter((name) => name !== 'dist');
  return Math.max(status.mtimeMs, ...inside.map((name) => changedAt(join(path, name))));
}
