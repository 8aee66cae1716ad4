import { expect } from 'chai';
import { printOptionsSchema } from '../../contracts/rest/schemas/print-options.ts';
import type { Renderer } from '../../renderer/renderer.ts';
import {
  consoleErrors,
  describeForEngines,
  packageOf,
  page,
  print,
  renderErrorOf,
  script,
  startRenderer,
} from './renderer-fixture.ts';

/** A document of this many pages. */
const documentOf = (count: number): string =>
  page(`${'<h1>Page</h1><div style="break-after:page"></div>'.repeat(count - 1)}<h1>Last</h1>`);

/** Width and height of the first page, in points. */
const pageSize = (text: string): number[] => {
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text) ?? [];
  return [Math.round(Number(width)), Math.round(Number(height))];
};

/** Targets of the links in a PDF. */
const linkTargets = (text: string): string[] =>
  [...text.matchAll(/\/URI \(([^)]*)\)/g)].map(([, target]) => target ?? '');

describeForEngines('printing a document', function () {
  this.timeout(30_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer();
  });
  after(() => renderer[Symbol.asyncDispose]());

  it('gives a complete PDF with its correct size, hash and number of pages', async () => {
    const { createHash } = await import('node:crypto');
    for (const tagged of [true, false]) {
      const printed = await print(renderer, documentOf(7), { pdf: { tagged } });
      expect(printed.text)
        .to.match(/^%PDF-/)
        .and.to.match(/%%EOF\s*$/);
      expect(printed.bytes).to.equal(printed.stored.length);
      expect(printed.sha256).to.equal(createHash('sha256').update(printed.stored).digest('hex'));
      expect(printed.pageCount).to.equal(7);
      expect(printed.browserMs).to.be.greaterThan(0);
    }
  });

  it('counts the pages of a long document, and does not count text that looks like a page object', async () => {
    const fake = ' 0 obj\n<</Type /Page\n';
    const printed = await print(renderer, documentOf(300).replace('Test', fake.repeat(3)));
    expect(printed.pageCount).to.equal(300);
  });

  const sizes: [name: string, pdf: object, size: number[]][] = [
    ['Letter by default', {}, [612, 792]],
    ['a format', { format: 'A4' }, [595, 842]],
    ['landscape', { format: 'A5', landscape: true }, [595, 420]],
    ['width and height', { width: '100mm', height: '2in' }, [283, 144]],
  ];
  for (const [name, pdf, size] of sizes) {
    it(`sets the paper size: ${name}`, async () => {
      expect(pageSize((await print(renderer, page('x'), { pdf })).text)).to.deep.equal(size);
    });
  }

  it('uses the paper size of the document, unless that is switched off', async () => {
    const html = page('x', '<style>@page { size: 200px 300px }</style>');
    expect(pageSize((await print(renderer, html)).text)).to.deep.equal([150, 225]);
    const pdf = { preferCSSPageSize: false, format: 'A4' };
    expect(pageSize((await print(renderer, html, { pdf })).text)).to.deep.equal([595, 842]);
  });

  it('applies margins, scale and page ranges', async () => {
    const long = page('<div style="height:3000px">x</div>');
    const plain = await print(renderer, long, { pdf: { format: 'A4' } });
    const margin = { top: '10cm', bottom: '10cm' };
    const narrow = await print(renderer, long, { pdf: { format: 'A4', margin } });
    const small = await print(renderer, long, { pdf: { format: 'A4', scale: 0.25 } });
    expect(narrow.pageCount).to.be.greaterThan(plain.pageCount);
    expect(small.pageCount).to.equal(1);
    expect(
      (await print(renderer, documentOf(9), { pdf: { pageRanges: '2-3, 8-' } })).pageCount,
    ).to.equal(4);
  });

  it('fails with a message about a page range that does not exist', async () => {
    const error = await renderErrorOf(print(renderer, documentOf(2), { pdf: { pageRanges: '7' } }));
    expect(error.code).to.equal('render_failed');
    expect(error.message).to.match(/range/i);
  });

  it('prints a header, but never the internal address of the page', async () => {
    const headerTemplate = '<b style="font-size:9px">HEAD <i class="url"></i></b>';
    const pdf = { format: 'A4', margin: { top: '2cm' }, headerTemplate };
    const withHeader = await print(renderer, page('x'), { pdf });
    const without = await print(renderer, page('x'), {
      pdf: { ...pdf, headerTemplate: undefined },
    });
    expect(withHeader.bytes).to.be.greaterThan(without.bytes);
    expect(withHeader.text).not.to.include('localhost');
  });

  it('adds tags and an outline if the version asks for them', async () => {
    const both = await print(renderer, documentOf(3), { pdf: { outline: true } });
    expect(both.text).to.include('/StructTreeRoot').and.to.include('/Outlines');
    const neither = await print(renderer, documentOf(3), { pdf: { tagged: false } });
    expect(neither.text).not.to.include('/StructTreeRoot').and.not.to.include('/Outlines');
  });

  it('sets the medium, language and time zone of the version before the first script of the page runs', async () => {
    const source = `console.error(matchMedia('print').matches, navigator.language,
      new Date(0).getTimezoneOffset(), (1234.5).toLocaleString())`;
    const plain = await print(renderer, script(source), { pdf: { timezone: 'UTC' } });
    expect(consoleErrors(plain)[0]).to.match(/^false .* 0 /);
    const generation1 = await print(renderer, script(source), { generation: 1 });
    expect(consoleErrors(generation1)[0]).to.match(/^true /);
    const pdf = { media: 'screen', locale: 'de-DE', timezone: 'Asia/Tokyo' };
    const other = await print(renderer, script(source), { pdf });
    expect(consoleErrors(other)).to.deep.equal(['false de-DE -540 1.234,5']);
  });

  it('does not keep options, cookies or storage of the previous job in the same browser', async () => {
    const source =
      'console.error(navigator.language, new Date(0).getTimezoneOffset(), document.cookie, localStorage.a)';
    const first = `document.cookie = 'a=1'; localStorage.a = 1; ${source}`;
    await print(renderer, script(first), { pdf: { locale: 'fr-FR', timezone: 'Asia/Tokyo' } });
    const next = await print(renderer, script(source), { pdf: { timezone: 'UTC' } });
    expect(consoleErrors(next)[0])
      .to.match(/ 0 {2}undefined$/)
      .and.not.to.include('fr');
  });

  it('answers with the payload, also one of more than 1 MB, and with files by their exact path', async () => {
    const big = JSON.stringify({ text: 'ü'.repeat(1_000_000) });
    const files = {
      'index.html': script(`window.renderReady = (async () => {
        const { text } = await (await fetch('/__payload')).json();
        const statuses = await Promise.all(['/', '/a b/%C3%BC.txt', '/nothing', '/index.html/'].map(
          async (path) => (await fetch(path)).status));
        console.error(text.length, location.origin, isSecureContext, ...statuses);
      })()`),
      'a b/ü.txt': 'x',
    };
    const payload = { mime: 'application/json; charset=utf-8', bytes: Buffer.from(big) };
    const printed = await print(renderer, packageOf(files), { payload, jobId: 'job_01payload' });
    expect(consoleErrors(printed)).to.deep.equal([
      '1000000 http://job_01payload.localhost true 200 200 404 404',
    ]);
  });

  it('opens the file of a route, with the query and the hash', async () => {
    const where = script('console.error(location.pathname + location.search + location.hash)');
    const files = {
      'index.html': where,
      'sub/index.html': where,
      'a b.html': where,
      'c?d.html': where,
    };
    const routes: [route: string, address: string][] = [
      ['index.html', '/'],
      ['/', '/'],
      ['/?lang=de&n=1#top', '/?lang=de&n=1#top'],
      ['/index.html?a#/route/1', '/?a#/route/1'],
      ['sub/', '/sub/'],
      ['/sub/index.html#x', '/sub/#x'],
      ['a b.html?q=ü', '/a%20b.html?q=%C3%BC'],
      ['c?d.html', '/c%3Fd.html'],
    ];
    for (const [route, address] of routes) {
      const document = { ...packageOf(files), route } as ReturnType<typeof packageOf>;
      expect(consoleErrors(await print(renderer, document))).to.deep.equal([address]);
    }
  });

  it('rewrites links into the package to linkBase, or prints them as plain text, and keeps links within the document', async () => {
    const body = `<h2 id="end">End</h2><p><a href="#end">in</a> <a href="#">up</a> <a href="terms.html?a=1#x">terms</a>
      <a href="https://example.com/out">out</a> <svg width="50" height="20"><a href="/svg"><text y="15">s</text></a></svg></p>`;
    for (const tagged of [true, false]) {
      const plain = await print(renderer, page(body), { pdf: { tagged } });
      expect(linkTargets(plain.text)).to.deep.equal(['https://example.com/out']);
      expect(plain.text)
        .to.match(/\/Dest[s ]/)
        .and.not.to.include('localhost');
      const linkBase = 'https://docs.example.com/base/';
      const based = await print(renderer, page(body), { pdf: { tagged, linkBase } });
      expect(linkTargets(based.text)).to.have.members([
        'https://docs.example.com/base/terms.html?a=1#x',
        'https://example.com/out',
        'https://docs.example.com/base/svg',
      ]);
      expect(based.text).not.to.include('localhost');
    }
  });

  it('refuses an unknown option', () => {
    expect(printOptionsSchema.safeParse({ papersize: 'A4' }).success).to.equal(false);
  });
});

describe('waiting until a document is ready', function () {
  this.timeout(30_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ slots: 1, browsers: 1 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  const later = (milliseconds: number) =>
    `new Promise((done) => setTimeout(done, ${milliseconds}))`;

  it('waits for a promise, and for a function that returns one', async () => {
    for (const wrap of ['', '() => ']) {
      const source = `window.renderReady = ${wrap}${later(200)}.then(() => console.error('ready'))`;
      expect(consoleErrors(await print(renderer, script(source)))).to.deep.equal(['ready']);
    }
  });

  it('waits for requests that a script starts after load', async () => {
    const source = `addEventListener('load', () => setTimeout(async () => {
      await fetch('/a.txt'); await fetch('/b.txt'); console.error('both'); }, 0))`;
    const files = { 'index.html': script(source), 'a.txt': 'a', 'b.txt': 'b' };
    expect(consoleErrors(await print(renderer, packageOf(files)))).to.deep.equal(['both']);
  });

  it('loads lazy images below the fold, and a thousand others', async () => {
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const images = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${n}.png`, pixel]));
    const body = Object.keys(images)
      .map((name) => `<img src="${name}">`)
      .join('');
    const files = {
      'index.html':
        page(`${body}<div style="height:9000px"></div><img loading="lazy" id="last" src="last.png">
        <script>last.onload = () => console.error('lazy loaded')</script>`),
      'last.png': pixel,
      ...images,
    };
    const printed = await print(renderer, packageOf(files));
    expect(consoleErrors(printed)).to.deep.equal(['lazy loaded']);
  });

  for (const [time, source] of [
    ['at once', `location.href = 'next.html'`],
    [
      'while its renderReady is pending',
      `window.renderReady = ${later(50)}.then(() => { location.href = 'next.html'; return new Promise(() => 0); })`,
    ],
  ] as const)
    it(`prints the document that a script navigates to ${time}`, async () => {
      const files = {
        'index.html': script(source),
        'next.html': script(`window.renderReady = ${later(50)}.then(() => console.error('next'))`),
      };
      expect(consoleErrors(await print(renderer, packageOf(files)))).to.deep.equal(['next']);
    });

  it('does not wait for requests that never end by design', async () => {
    const source = `new EventSource('/stream'); navigator.sendBeacon('/beacon', 'x');`;
    await print(renderer, script(source), { limits: { renderTimeoutMs: 10_000 } });
  });
});
