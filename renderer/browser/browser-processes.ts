import { readFile } from 'node:fs/promises';
import type { Browser } from './launch-browser.ts';

/** True on Linux, the only platform that shows other processes as files. */
export const canReadProcesses = process.platform === 'linux';

/** `/proc` shows kB that have 1024 bytes. */
const bytesPerKilobyte = 1024;

/** Lists the ids of the browser's processes, as Chromium reports them. With a `type`, such as `renderer`, only those of this type. */
export async function processIds(browser: Browser, type?: string): Promise<number[]> {
  const { processInfo } = await browser.cdp.send('SystemInfo.getProcessInfo');
  return processInfo.filter((one) => !type || one.type === type).map(({ id }) => id);
}

/** Reads `/proc/<pid>/status` as a table, which is empty for a process that has ended. */
export async function processStatus(pid: number): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.includes(':'));
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
}

/**
 * Measures the memory of all processes of the browser, in bytes: anonymous and shared pages, without the mapped binary, which all
 * browsers share. PSS would divide shared pages exactly, but the sandbox makes it unreadable for its own user.
 */
export async function measureMemoryBytes(browser: Browser): Promise<number> {
  const statuses = await Promise.all((await processIds(browser)).map(processStatus));
  const kilobytes = statuses.flatMap((status) => [
    Number.parseInt(status.get('RssAnon') ?? '0', 10),
    Number.parseInt(status.get('RssShmem') ?? '0', 10),
  ]);
  return kilobytes.reduce((sum, one) => sum + one, 0) * bytesPerKilobyte;
}
