import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { dropsPrivileges } from '../renderer/browser/launch-browser.ts';
import type { Example } from './example.ts';
import type { Measurement } from './measurement.ts';
import { pagePdfOptions } from './page-pdf-options.ts';

/** Prints with plain Playwright in a loop, without any service. The benchmarks compare the service with it. */
export interface RawLoop extends AsyncDisposable {
  readonly chromiumVersion: string;
  /** Prints `jobs` times, `concurrency` at once, each in a fresh context. */
  run(options: { jobs: number; concurrency: number; signal: AbortSignal }): Promise<Measurement>;
}

/** The user id and group id of `nobody`. If we are root, renderer/browser/launch-browser.ts also runs Chromium as this user. */
const nobodyId = 65_534;

/** Starts a browser, and a web server on loopback with the document and its payload in memory. */
export async function startRawLoop(
  example: Example,
  options: { readonly executablePath: string; readonly folder: string },
): Promise<RawLoop> {
  const { folder } = options;
  await mkdir(folder, { recursive: true });
  await using starting = new AsyncDisposableStack();
  const server = await serve(example);
  starting.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const browser = starting.adopt(await launch(options), (launched) => launched.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/${example.render.route}`;
  const all = starting.move();
  return {
    chromiumVersion: browser.version(),
    async run({ jobs, concurrency, signal }) {
      const latenciesMs: number[] = [];
      let begun = 0;
      const loop = async (slot: number): Promise<void> => {
        while (begun++ < jobs) {
          signal.throwIfAborted();
          const begin = performance.now();
          await print(browser, example, url, join(folder, `${slot}.pdf`));
          latenciesMs.push(performance.now() - begin);
        }
      };
      const begin = performance.now();
      await Promise.all(Array.from({ length: concurrency }, (_, slot) => loop(slot)));
      return { jobs, elapsedMs: performance.now() - begin, latenciesMs };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function print(browser: Browser, { pdf }: Example, url: string, file: string): Promise<void> {
  const context = await browser.newContext(pdf.locale ? { locale: pdf.locale } : {});
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(() => (window as { renderReady?: Promise<unknown> }).renderReady);
  const bytes = await page.pdf(pagePdfOptions(pdf));
  await writeFile(file, bytes);
  await context.close();
}

async function serve({ files, payload }: Example): Promise<Server> {
  const payloadBytes = Buffer.from(JSON.stringify(payload));
  const server = createServer((request, response) => {
    const file =
      request.url === '/__payload'
        ? { bytes: payloadBytes, mime: 'application/json' }
        : files.get(request.url ?? '');
    response.writeHead(file ? 200 : 404, { 'content-type': file?.mime ?? 'text/plain' });
    response.end(file?.bytes);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, '127.0.0.1', resolve);
  await promise;
  return server;
}

async function launch({
  executablePath,
  folder,
}: {
  executablePath: string;
  folder: string;
}): Promise<Browser> {
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  if (dropsPrivileges()) await chown(home, nobodyId, nobodyId);
  return chromium.launch({
    executablePath: dropsPrivileges()
      ? await writeLaunchScript(executablePath, folder)
      : executablePath,
    // On, as in the service. Playwright's default is off.
    chromiumSandbox: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: home, TMPDIR: home },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/**
 * Writes a script that starts Chromium as `nobody`, and returns its path. Chromium's sandbox refuses to run as root, and Playwright
 * cannot start a browser as another user.
 */
async function writeLaunchScript(executablePath: string, folder: string): Promise<string> {
  const script = join(folder, 'chromium');
  const lines = [
    '#!/bin/sh -e',
    'for argument; do',
    `  case $argument in --user-data-dir=*) chown ${nobodyId}:${nobodyId} "\${argument#*=}" ;; esac`,
    'done',
    `exec setpriv --reuid ${nobodyId} --regid ${nobodyId} --clear-groups -- '${executablePath}' "$@"`,
  ];
  await writeFile(script, `${lines.join('\n')}\n`);
  await chmod(script, 0o755);
  return script;
}
