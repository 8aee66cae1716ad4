import { expect } from 'chai';
import type { LogCode } from '../../contracts/logs.ts';
import type { Renderer } from '../../renderer/renderer.ts';
import {
  packageOf,
  packageWithHangingFiles,
  page,
  print,
  script,
  startRenderer,
  warningsOf,
} from './renderer-fixture.ts';

const ready = '<p>Text</p><script>window.renderReady = Promise.resolve()</script>';

describe('warnings about the page', function () {
  this.timeout(30_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ slots: 1, browsers: 1 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  const cases: [name: string, html: string, code: LogCode, message: RegExp][] = [
    [
      'a broken image',
      page(`${ready}<img src="bad.png?token=1">`),
      'image_broken',
      /^\/bad\.png is not a valid image/,
    ],
    [
      'a broken font',
      page(
        `${ready}<p style="font-family:x">x</p>`,
        '<style>@font-face { font-family: x; src: url(bad.woff2) }</style>',
      ),
      'font_broken',
      /\/bad\.woff2/,
    ],
    [
      'a stylesheet of another type',
      page(ready, '<link rel="stylesheet" href="style.txt">'),
      'stylesheet_ignored',
      /\/style\.txt .* its content type is application\/octet-stream/,
    ],
    [
      'content that the policy of the page blocks',
      page(
        `${ready}<img src="bad.png">`,
        `<meta http-equiv="Content-Security-Policy" content="img-src 'none'">`,
      ),
      'content_blocked',
      /\/bad\.png.*Content Security Policy/,
    ],
    [
      'a script with another hash than its integrity attribute',
      page(
        ready,
        '<script src="a.js" integrity="sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="></script>',
      ),
      'content_blocked',
      /integrity.*\/a\.js/,
    ],
    [
      'a window that the page opens',
      script(`window.open('/other.html')`),
      'popup_blocked',
      /\/other\.html/,
    ],
    [
      'a link into the package',
      page(`${ready}<a href="terms.html?a=1">terms</a>`),
      'link_dropped',
      /\/terms\.html/,
    ],
    ['a PDF that is empty', page('<div id="root"></div>'), 'page_blank', /page 1\./],
    [
      'a PDF with only a white background',
      page('<div id="root"></div>', '<style>body { background: #fff }</style>'),
      'page_blank',
      /page 1\./,
    ],
    [
      'a blank page among others',
      page('<p>a</p><div style="break-before:page"></div><p style="break-before:page">b</p>'),
      'page_blank',
      /page 2\./,
    ],
    [
      'an error in a worker',
      script(`new Worker(URL.createObjectURL(new Blob(['missing.name'])))`),
      'page_error',
      /missing is not defined/,
    ],
    [
      'a rejection with a plain object',
      script(`Promise.reject({ code: 7 })`),
      'page_error',
      /\{ code: 7 \} \(\/:\d+:\d+\)/,
    ],
  ];
  const files = {
    'bad.png': 'no image',
    'bad.woff2': 'no font',
    'style.txt': 'p {}',
    'a.js': '1',
    'terms.html': 'x',
  };

  for (const [name, html, code, message] of cases)
    it(`name ${name}`, async () => {
      const printed = await print(renderer, packageOf({ 'index.html': html, ...files }));
      const found = warningsOf(printed.events, code);
      expect(found, JSON.stringify(printed.events)).to.have.length(1);
      expect(found[0])
        .to.match(message)
        .and.not.to.match(/token|localhost/);
    });

  it('do not take long for a very long error of the page, and do not contain its tokens', async () => {
    const source = `setTimeout(() => { throw new Error('http://'.repeat(100_000)) });
      setTimeout(() => { throw new Error('no https://example.com/a?sig=secret here') });`;
    const startedAt = performance.now();
    const { events } = await print(renderer, script(source));
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
    expect(warningsOf(events, 'page_error').join())
      .to.include('https://example.com/a')
      .and.not.to.include('secret');
  });

  it('do not say that an image failed if the renderer itself has aborted its request', async () => {
    const html = page(`${ready}<img src="/hang/a.png">`);
    const { events } = await print(renderer, packageWithHangingFiles({ 'index.html': html }));
    expect(warningsOf(events)).to.have.length(1);
    expect(warningsOf(events, 'request_unfinished')[0]).to.match(
      /^\/hang\/a\.png had not finished after/,
    );
  });

  it('are not given for pages that contain only text, pictures, colours or lines', async () => {
    for (const body of [
      '<p>x</p>',
      '<div style="height:9px;background:#123"></div>',
      '<hr>',
      '<svg width="20" height="20"><circle r="9" fill="#eee"/></svg>',
      '<canvas id="c"></canvas><script>c.getContext("2d").fillRect(0, 0, 9, 9)</script>',
      '<div style="height:9px;background:linear-gradient(#fff, #eee)"></div>',
    ])
      expect(warningsOf((await print(renderer, page(body))).events)).to.deep.equal([]);
  });

  it('about links into the package do not mean that their look has changed', async () => {
    const body = '<a href="terms.html">terms</a>';
    const link = await print(renderer, page(body, '<style>a:link { color: rgb(1, 2, 3) }</style>'));
    const { stored: plain } = await print(renderer, page(body));
    expect(link.stored.equals(plain)).to.equal(false);
    expect(link.text).not.to.include('/URI');
  });
});

describe('printing as page.pdf() does', function () {
  this.timeout(30_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ slots: 1, browsers: 2 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  const source = (query: string): string =>
    script(
      `console.error(${query}); addEventListener('beforeprint', () => console.error(matchMedia('print').matches))`,
    );
  const evaluateInPage = async (query: string, job: object): Promise<string | undefined> => {
    const { events } = await print(renderer, source(query), job);
    return events.find(({ code }) => code === 'console_error')?.message;
  };

  it('has a mouse, but not for a version of generation 1', async () => {
    const query = `matchMedia('(hover: hover) and (pointer: fine)').matches`;
    expect(await evaluateInPage(query, {})).to.equal('true');
    expect(await evaluateInPage(query, { pdf: { pointer: 'none' } })).to.equal('false');
    expect(await evaluateInPage(query, { generation: 1 })).to.equal('false');
  });

  it('opens index.html as /, but by its name for a version of generation 1', async () => {
    expect(await evaluateInPage('location.pathname', {})).to.equal('/');
    expect(await evaluateInPage('location.pathname', { generation: 1 })).to.equal('/index.html');
  });

  it('shows the medium screen to scripts, and changes to print when it prints', async () => {
    const html = page(`<p>x</p><script>
      const print = matchMedia('print');
      console.error(print.matches);
      print.onchange = () => console.error(print.matches);
      </script>`);
    const { events } = await print(renderer, html);
    const values = events
      .filter(({ code }) => code === 'console_error')
      .map(({ message }) => message);
    expect(values.slice(0, 2)).to.deep.equal(['false', 'true']);
  });
});
