import { expect } from 'chai';
import type { Renderer } from '../../renderer/renderer.ts';
import {
  consoleErrors,
  describeForEngines,
  type Job,
  type PrintedPdf,
  packageOf,
  packageWithHangingFiles,
  packageWithSlowFiles,
  page,
  print,
  renderErrorOf,
  script,
  startRenderer,
  warningsOf,
} from './renderer-fixture.ts';

/** A script that makes its document ready at once. */
const readyAtOnce = `window.renderReady = Promise.resolve();`;
/** Source of a promise that resolves after this time. */
const later = (milliseconds: number): string =>
  `new Promise((done) => setTimeout(done, ${milliseconds}))`;

describeForEngines('a page with workers', function () {
  this.timeout(30_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ slots: 1, browsers: 1 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  /** A worker that fetches a text and posts it to the page. */
  const fetchingWorker = `fetch(self.location.origin === 'null' ? 'data:,x' : self.location.origin + '/data.txt')
    .then((r) => r.text()).then((text) => postMessage(text))`;
  const blobOf = (source: string): string =>
    `URL.createObjectURL(new Blob([${JSON.stringify(source)}]))`;
  const listen = `.onmessage = ({ data }) => console.error('got ' + data)`;
  const kinds: Readonly<Record<string, [source: string, expected: RegExp]>> = {
    classic: [`new Worker('/worker.js')${listen}`, /^got data$/],
    module: [`new Worker('/worker.js', { type: 'module' })${listen}`, /^got data$/],
    blob: [`new Worker(${blobOf(fetchingWorker)})${listen}`, /^got data$/],
    data: [
      `new Worker('data:text/javascript,' + encodeURIComponent(${JSON.stringify(fetchingWorker)}))${listen}`,
      /^got x$/,
    ],
    nested: [`new Worker('/outer.js')${listen}`, /^got data$/],
    missing: [
      `new Worker('/nothing.js').onerror = () => console.error('got an error')`,
      /^got an error$/,
    ],
    shared: [`const { port } = new SharedWorker('/shared.js'); port${listen}`, /^got data$/],
    'the same script twice, one terminated': [
      `const one = new Worker('/worker.js'); one${listen}; new Worker('/worker.js').terminate()`,
      /^got data$/,
    ],
    terminated: [
      `const worker = new Worker('/worker.js'); worker.terminate(); console.error('got none')`,
      /^got none$/,
    ],
    service: [
      `navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready)
        .then(() => console.error('got service'))`,
      /^got service$/,
    ],
    'off-screen canvas': [
      `const canvas = document.body.appendChild(document.createElement('canvas')).transferControlToOffscreen();
        const worker = new Worker('/draw.js'); worker.postMessage(canvas, [canvas]); worker${listen}`,
      /^got drawn$/,
    ],
    'one that computes for a while': [
      `new Worker(${blobOf(`const end = Date.now() + 700; while (Date.now() < end); postMessage('late')`)})${listen}`,
      /^got late$/,
    ],
  };
  const files = {
    'worker.js': fetchingWorker,
    'data.txt': 'data',
    'outer.js': `new Worker('/worker.js').onmessage = ({ data }) => postMessage(data)`,
    'shared.js': `onconnect = ({ ports: [port] }) =>
      fetch('/data.txt').then((r) => r.text()).then((text) => port.postMessage(text))`,
    'service.js': `addEventListener('fetch', () => undefined)`,
    'draw.js': `onmessage = ({ data }) => { const context = data.getContext('2d'); context.fillRect(0, 0, 9, 9); postMessage('drawn') }`,
  };

  for (const [kind, [source, expected]] of Object.entries(kinds))
    it(`is printed when its worker has finished: ${kind}`, async () => {
      const printed = await print(renderer, packageOf({ 'index.html': script(source), ...files }));
      expect(consoleErrors(printed)[0]).to.match(expected);
      expect(warningsOf(printed.events, 'request_unfinished')).to.deep.equal([]);
    });

  it('is printed at once when it says that it is ready', async () => {
    const source = `window.renderReady = new Promise((done) => {
      new Worker('/worker.js').onmessage = ({ data }) => { console.error('got ' + data); done() } })`;
    const printed = await print(renderer, packageOf({ 'index.html': script(source), ...files }), {
      pdf: { quietMs: 5_000 },
    });
    expect(consoleErrors(printed)).to.deep.equal(['got data']);
    expect(printed.timings.readyMs).to.be.lessThan(3_000);
  });
});

describe('a document that defines renderReady', function () {
  this.timeout(60_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ slots: 1, browsers: 1 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  /** A document that is ready at once and has this HTML inserted by its script. */
  const readyWith = (html: string): string =>
    script(`${readyAtOnce} document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`);
  const neverFinished: Readonly<Record<string, string>> = {
    'a long poll': script(`${readyAtOnce} fetch('/hang/poll')`),
    'polling without a pause': script(
      `${readyAtOnce} (async () => { for (;;) await fetch('/data.txt') })()`,
    ),
    'a hung image': readyWith('<img src="/hang/a.png">'),
    'a hung background': readyWith('<p style="background:url(/hang/a.png)">x</p>'),
    'a hung stylesheet': readyWith('<link rel="stylesheet" href="/hang/a.css">'),
    'a hung font': readyWith(
      '<style>@font-face { font-family: x; src: url(/hang/a.woff2) }</style><p style="font-family:x">x</p>',
    ),
    'a hung script': page(`<script>${readyAtOnce}</script><script src="/hang/a.js"></script>`),
    'a hung async script': page(
      `<script>${readyAtOnce}</script><script async src="/hang/a.js"></script>`,
    ),
    'a hung frame': page(`<script>${readyAtOnce}</script><iframe src="/hang/a.html"></iframe>`),
    'a hung preload': page(
      `<script>${readyAtOnce}</script>`,
      '<link rel="preload" as="script" href="/hang/a.js">',
    ),
    'a hung worker': script(`${readyAtOnce} new Worker('/hang/worker.js')`),
    'a busy frame': page(
      `<script>${readyAtOnce}</script><iframe srcdoc="<script>setInterval(() => { const end = Date.now() + 40; while (Date.now() < end); fetch('/data.txt') }, 50)</script>"></iframe>`,
    ),
    'a hung image and a long poll': readyWith('<img src="/hang/a.png">').replace(
      readyAtOnce,
      `${readyAtOnce} fetch('/hang/poll');`,
    ),
  };
  /** The longest time from the end of `loadMs` until the PDF is printed. */
  const longestMs = 2_500;

  for (const [name, html] of Object.entries(neverFinished))
    it(`is printed within ${longestMs} ms in spite of ${name}, with a warning`, async () => {
      const { timings, events } = await print(
        renderer,
        packageWithHangingFiles({ 'index.html': html, 'data.txt': '' }),
      );
      const { readyMs = 0, printMs = 0 } = timings;
      expect(readyMs + printMs).to.be.lessThan(longestMs);
      if (name !== 'a busy frame')
        expect(warningsOf(events, 'request_unfinished')[0]).to.match(/\/(hang\/|data)/);
    });

  it('is printed at once in spite of a hung prefetch, which is for another page', async () => {
    const prefetch = '<link rel="prefetch" href="/hang/a.js">';
    const html = page(`<p>x</p><script>${readyAtOnce}</script>`, prefetch);
    const { timings, events } = await print(
      renderer,
      packageWithHangingFiles({ 'index.html': html }),
    );
    expect(timings.readyMs).to.be.lessThan(1_500);
    expect(warningsOf(events)).to.deep.equal([]);
  });

  it('may use any promise: a thenable of a library, or one of a replaced Promise class', async () => {
    for (const source of [
      `window.renderReady = { then(done) { setTimeout(() => { console.error('ready'); done() }, 100) } }`,
      `const Native = Promise; class Other extends Native {} ; window.Promise = Other;
       window.renderReady = new Promise((done) => setTimeout(() => { console.error('ready'); done() }, 100))`,
      `window.renderReady = async () => { await ${later(100)}; console.error('ready') }`,
    ])
      expect(consoleErrors(await print(renderer, script(source)))).to.deep.equal(['ready']);
  });

  it('may define it late, also if its version requires it', async () => {
    const source = `addEventListener('load', () => setTimeout(() => {
      window.renderReady = ${later(300)}.then(() => console.error('ready')) }, 300))`;
    for (const pdf of [{}, { waitFor: 'renderReady' }])
      expect(consoleErrors(await print(renderer, script(source), { pdf }))).to.deep.equal([
        'ready',
      ]);
  });

  it('may define a function that needs all of the HTML, even if the HTML takes long to load', async () => {
    const html = page(
      '<script src="/slow/a.js"></script><p id="chart">drawn</p>',
      '<script>window.renderReady = async () => { console.error(chart.textContent) }</script>',
    );
    const printed = await print(
      renderer,
      packageWithSlowFiles({ 'index.html': html, 'slow/a.js': '1' }, 2_500),
    );
    expect(consoleErrors(printed)).to.deep.equal(['drawn']);
  });

  it('may define it while a request has not finished', async () => {
    const source = `fetch('/hang/poll'); setTimeout(() => { window.renderReady = Promise.resolve(); console.error('defined') }, 800)`;
    const printed = await print(
      renderer,
      packageWithHangingFiles({ 'index.html': script(source) }),
    );
    expect(consoleErrors(printed)).to.deep.equal(['defined']);
    expect(printed.timings.readyMs).to.be.lessThan(4_500);
  });

  it('is also waited for when the first document has navigated to it', async () => {
    const source = `new Image().src = '/hang/a.png'; document.body.append(new Image());
      setTimeout(() => { location.href = '/next.html' }, 1_400)`;
    const next = script(`window.renderReady = ${later(1_000)}.then(() => console.error('next'))`);
    const document = packageWithHangingFiles({ 'index.html': script(source), 'next.html': next });
    const printed = await print(renderer, document, { pdf: { maxWaitMs: 2_000 } });
    expect(consoleErrors(printed)).to.deep.equal(['next']);
  });

  it('fails with the reason and the place of a rejection', async () => {
    const cases: [source: string, message: RegExp][] = [
      [`Promise.reject({ code: 'E1', message: 'no rate' })`, /\{ code: E1, message: no rate \}/],
      [`Promise.reject('just text')`, /just text/],
      [`fetch('/data.txt').then(() => {\n missing.name })`, /missing is not defined \(\/:\d+:2\)$/],
      [`() => { throw new TypeError('bad') }`, /TypeError: bad \(\/:\d+:\d+\)$/],
      [`Promise.reject()`, /undefined/],
    ];
    for (const [source, message] of cases) {
      const document = packageOf({
        'index.html': script(`window.renderReady = ${source}`),
        'data.txt': '',
      });
      const error = await renderErrorOf(print(renderer, document));
      expect(error.code).to.equal('render_failed');
      expect(error.message)
        .to.match(message)
        .and.not.to.match(/callFunctionOn|localhost|<anonymous>/);
    }
  });

  const failing: [
    name: string,
    document: Parameters<typeof print>[1],
    job: Job,
    code: string,
    message: RegExp,
  ][] = [
    [
      'never settles it',
      script('window.renderReady = new Promise(() => {})'),
      {},
      'render_timeout_exceeded',
      /renderReady/,
    ],
    [
      'never settles it because of a request',
      packageWithHangingFiles({
        'index.html': script(`window.renderReady = fetch('/hang/data.json?token=1')`),
      }),
      {},
      'render_timeout_exceeded',
      /\/hang\/data\.json \(for \d+\.\d s\)$|\/hang\/data\.json \(for \d+\.\d s\)\./,
    ],
    [
      'does not define it although its version requires it',
      page('x'),
      { pdf: { waitFor: 'renderReady' } },
      'render_timeout_exceeded',
      /renderReady/,
    ],
    [
      'has a script that never loads',
      packageWithHangingFiles({ 'index.html': page('<script src="/hang/a.js"></script>') }),
      { limits: { loadTimeoutMs: 700 } },
      'navigation_timeout',
      /\/hang\/a\.js/,
    ],
  ];
  for (const [name, document, job, code, message] of failing)
    it(`fails at its time limit, with the step that it waited in, when it ${name}`, async () => {
      const startedAt = performance.now();
      const limits = { renderTimeoutMs: 1_000, ...job.limits };
      const error = await renderErrorOf(print(renderer, document, { ...job, limits }));
      expect(error.code).to.equal(code);
      expect(error.message).to.match(message).and.not.to.include('token');
      expect(performance.now() - startedAt).to.be.lessThan(limits.renderTimeoutMs + 2_000);
    });
});

describe('a document that does not define renderReady', function () {
  this.timeout(60_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ slots: 2, browsers: 2 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  const done = `console.error('done')`;
  const lateChanges: Readonly<Record<string, string>> = {
    'an effect that fetches, after two frames': `requestAnimationFrame(() => requestAnimationFrame(async () => { await fetch('/data.txt'); ${done} }))`,
    'a debounce of 300 ms': `setTimeout(() => setTimeout(async () => { await fetch('/data.txt'); ${done} }, 300), 50)`,
    'chained fetches': `(async () => { for (let n = 0; n < 5; n += 1) { await (await fetch('/data.txt')).text(); await new Promise((next) => setTimeout(next, 30)) } ${done} })()`,
    'an animation of frame callbacks': `const begin = performance.now(); requestAnimationFrame(function draw(now) { if (now - begin < 1000) requestAnimationFrame(draw); else ${done} })`,
    'an animation of styles': `document.body.animate([{ opacity: 0 }, { opacity: 1 }], 900).onfinish = () => ${done}`,
    'an image that is inserted late': `setTimeout(() => { const image = new Image(); image.onload = () => ${done}; image.src = '/image.svg'; document.body.append(image) }, 200)`,
    'messages between ports': `const { port1, port2 } = new MessageChannel(); let n = 0; port2.onmessage = () => { if ((n += 1) < 400) setTimeout(() => port1.postMessage(n), 1); else ${done} }; port1.postMessage(0)`,
  };
  for (const [name, source] of Object.entries(lateChanges))
    it(`is printed when it has become idle: ${name}`, async () => {
      const files = {
        'index.html': script(source),
        'data.txt': 'x',
        'image.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      };
      const prints = Array.from({ length: 5 }, () => print(renderer, packageOf(files)));
      for (const printed of await Promise.all(prints)) {
        expect(consoleErrors(printed)).to.deep.equal(['done']);
        expect(warningsOf(printed.events, 'never_idle')).to.deep.equal([]);
      }
    });

  it('is printed without waiting if no script ever ran', async () => {
    const html = page('<img src="image.svg"><p>Still</p>', '<link rel="stylesheet" href="a.css">');
    const image = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const files = { 'index.html': html, 'image.svg': image, 'a.css': 'p { color: red }' };
    const { timings } = await print(renderer, packageOf(files), {
      pdf: { quietMs: 5_000 },
    });
    expect(timings.readyMs).to.be.lessThan(3_000);
  });

  const maxWaitMs = 1_500;
  const neverIdle: [name: string, html: string, code: 'request_unfinished' | 'never_idle'][] = [
    ['a request that never ends', script(`fetch('/hang/poll')`), 'request_unfinished'],
    ['an image that never loads', page('<img src="/hang/a.png">'), 'request_unfinished'],
    ['a timer that never ends', script('setInterval(() => 1, 50)'), 'never_idle'],
  ];
  for (const [name, html, code] of neverIdle)
    it(`is printed after maxWaitMs in spite of ${name}, with a warning`, async () => {
      const { timings, events } = await print(
        renderer,
        packageWithHangingFiles({ 'index.html': html }),
        {
          pdf: { maxWaitMs },
        },
      );
      const { loadMs = 0, readyMs = 0, printMs = 0 } = timings;
      expect(loadMs + readyMs + printMs).to.be.within(maxWaitMs - 50, maxWaitMs + 1_000);
      expect(warningsOf(events, code)).to.have.length(1);
    });

  it('gets a warning about its load event if a video delays that event', async () => {
    const html = page('<video src="/hang/a.mp4"></video><p>x</p>');
    const { events } = await print(renderer, packageWithHangingFiles({ 'index.html': html }), {
      pdf: { maxWaitMs },
    });
    expect(warningsOf(events, 'never_idle')[0]).to.match(/load event.*had not fired/);
  });

  it('is printed before its animations end if its version is of generation 1', async () => {
    const source = `document.body.animate([{ opacity: 0 }, { opacity: 1 }], 15_000)`;
    const { timings } = await print(renderer, script(source), { generation: 1 });
    expect(timings.readyMs).to.be.lessThan(5_000);
  });

  it('is printed in time if its time limit is shorter than maxWaitMs', async () => {
    const printed = await print(renderer, script('setInterval(() => 1, 50)'), {
      limits: { renderTimeoutMs: 4_000 },
    });
    expect(warningsOf(printed.events, 'never_idle')).to.have.length(1);
  });

  it('is printed at load if its version says so', async () => {
    const source = `setTimeout(() => console.error('late'), 3_000); window.renderReady = new Promise(() => {})`;
    const printed: PrintedPdf = await print(renderer, script(source), { pdf: { waitFor: 'load' } });
    expect(consoleErrors(printed)).to.deep.equal([]);
  });

  it('is waited for until it is idle if its version says so, even if it defines renderReady', async () => {
    const source = `window.renderReady = Promise.resolve(); setTimeout(() => console.error('late'), 300)`;
    const printed = await print(renderer, script(source), { pdf: { waitFor: 'idle' } });
    expect(consoleErrors(printed)).to.deep.equal(['late']);
  });
});
