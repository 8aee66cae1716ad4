import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { currentPrintGeneration } from '../../contracts/processes/print-settings.ts';
import type { EngineName } from '../../renderer/browser/load-engine.ts';
import { findChromium } from '../../renderer/browser/playwright-engine.ts';
import { type CdpMessage, type CdpTransport, sharePipe } from '../../renderer/cdp/cdp-pipe.ts';
import { type PrintedPdf, page, print, printExample, startRenderer } from './renderer-fixture.ts';

/**
 * Returns the text of a PDF without everything that differs between two prints by the same engine: dates, Chromium's numbers of
 * tagged elements, and the order of the index of those numbers.
 */
const comparable = ({ text }: PrintedPdf): string =>
  text
    .replace(/\/(CreationDate|ModDate) \(.*?\)/g, '')
    .replace(/node\d{8}/g, 'node')
    .split(/\s+/)
    .sort()
    .join(' ');

describe('the engines', function () {
  this.timeout(60_000);

  it('print each example to the same PDF, except for dates and the numbers of tagged elements', async () => {
    await using byPipe = await startRenderer({ engine: 'pipe', slots: 1, browsers: 2 });
    await using byPlaywright = await startRenderer({ engine: 'playwright', slots: 1, browsers: 2 });
    for (const name of ['certificate', 'invoice', 'labels', 'report', 'statement']) {
      const [one, other] = [
        await printExample(byPipe, name),
        await printExample(byPlaywright, name),
      ];
      expect(one.pageCount).to.equal(other.pageCount);
      expect(comparable(one) === comparable(other), name).to.equal(true);
    }
  });

  it('use the fonts that the version asks for, not those of the engine', async () => {
    const html = page('<code>monospace</code>');
    const fontsOf = async (engine: EngineName, generation: number) => {
      await using renderer = await startRenderer({ engine, slots: 1, browsers: 1 });
      const { text } = await print(renderer, html, { generation });
      return text.match(/\/BaseFont \/\S+/g)?.sort();
    };
    for (const generation of [1, currentPrintGeneration])
      expect(await fontsOf('playwright', generation)).to.deep.equal(
        await fontsOf('pipe', generation),
      );
  });

  it('do not load Playwright unless it is chosen', async () => {
    const source = `
      import { createRequire } from 'node:module';
      import { loadEngine } from '${join(import.meta.dirname, '../../renderer/browser/load-engine.ts')}';
      import '${join(import.meta.dirname, '../../renderer/renderer.ts')}';
      const { cache } = createRequire('${import.meta.filename}');
      const isLoaded = () => Object.keys(cache).some((path) => path.includes('playwright'));
      await loadEngine('pipe');
      console.log(isLoaded());
      await loadEngine('playwright');
      console.log(isLoaded());`;
    const args = ['--input-type=module-typescript', '--eval', source];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trim().split('\n')).to.deep.equal(['false', 'true']);
  });

  it('do not handle signals of the worker', async () => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'];
    const handlers = () => signals.map((signal) => process.listenerCount(signal));
    const before = handlers();
    await using renderer = await startRenderer({ engine: 'playwright', slots: 1, browsers: 1 });
    await print(renderer, page('x'));
    expect(handlers()).to.deep.equal(before);
  });
});

describe('finding the Chromium that Playwright installed', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ms-playwright-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('finds the headless shell of the same revision, else the full browser', async () => {
    const full = join(folder, 'chromium-1255/chrome-linux64/chrome');
    const shell = join(
      folder,
      'chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell',
    );
    const otherRevision = shell.replace('1255', '1200');
    const install = async (file: string) => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, '');
    };
    await install(otherRevision);
    expect(findChromium(full)).to.equal(undefined);
    await install(full);
    expect(findChromium(full)).to.equal(full);
    await install(shell);
    expect(findChromium(full)).to.equal(shell);
  });
});

describe('a pipe that two clients share', () => {
  it('gives each client the answers to its own commands, and both of them all events', () => {
    const sent: CdpMessage[] = [];
    const pipe: CdpTransport = { send: (message) => void sent.push(message) };
    const { first, second } = sharePipe(pipe);
    const received: [string, CdpMessage][] = [];
    first.onMessage = (message) => void received.push(['first', message]);
    second.onMessage = (message) => void received.push(['second', message]);
    first.send({ id: 1, method: 'A' });
    second.send({ id: 1, method: 'B' });
    for (const { id, method = '' } of sent.toReversed())
      pipe.onMessage?.({ ...(id && { id }), result: method });
    pipe.onMessage?.({ method: 'event' });
    expect(received).to.deep.equal([
      ['second', { id: 1, result: 'B' }],
      ['first', { id: 1, result: 'A' }],
      ['first', { method: 'event' }],
      ['second', { method: 'event' }],
    ]);
  });
});
