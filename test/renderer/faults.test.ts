import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { RenderEvent } from '../../contracts/logs.ts';
import type { Renderer } from '../../renderer/renderer.ts';
import {
  consoleErrors,
  describeForEngines,
  type Job,
  killProcesses,
  listProcesses,
  packageOf,
  page,
  print,
  renderErrorOf,
  script,
  startRenderer,
  waitUntil,
  workFolderFor,
} from './renderer-fixture.ts';

/** A job ends at most this long after its limit. */
const graceMs = 2_000;
const endlessLoop = 'for (;;) {}';

describeForEngines('failures of jobs', function () {
  this.timeout(30_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer();
  });
  after(() => renderer[Symbol.asyncDispose]());

  interface FailingDocument {
    readonly name: string;
    readonly document: Parameters<typeof print>[1];
    readonly job?: Job;
    readonly code: string;
    readonly message?: RegExp;
  }

  const failingDocuments: FailingDocument[] = [
    {
      name: 'a route that does not exist',
      document: packageOf({}),
      code: 'render_failed',
      message: /404/,
    },
    {
      name: 'a rejected renderReady',
      document: script(`window.renderReady = Promise.reject(new Error('no rate for CHF'))`),
      code: 'render_failed',
      message: /no rate for CHF/,
    },
    {
      name: 'a renderReady that throws',
      document: script(`window.renderReady = () => { throw new TypeError('bad payload') }`),
      code: 'render_failed',
      message: /bad payload/,
    },
    {
      name: 'a renderReady that never settles',
      document: script('window.renderReady = new Promise(() => {})'),
      job: { limits: { renderTimeoutMs: 500 } },
      code: 'render_timeout_exceeded',
    },
    {
      name: 'an endless loop at load',
      document: script(endlessLoop),
      job: { limits: { loadTimeoutMs: 500 } },
      code: 'navigation_timeout',
    },
    {
      name: 'an endless loop that reaches the render timeout first',
      document: script(endlessLoop),
      job: { limits: { renderTimeoutMs: 500 } },
      code: 'render_timeout_exceeded',
    },
    {
      name: 'an endless loop in renderReady',
      document: script(`window.renderReady = () => { ${endlessLoop} }`),
      job: { limits: { renderTimeoutMs: 700 } },
      code: 'render_timeout_exceeded',
    },
    {
      name: 'an endless loop in beforeprint',
      document: script(`addEventListener('beforeprint', () => { ${endlessLoop} })`),
      job: { limits: { renderTimeoutMs: 700, loadTimeoutMs: 500 } },
      code: 'render_timeout_exceeded',
    },
    {
      name: 'a PDF over the limit',
      document: page(`<p>${'word '.repeat(20_000)}</p>`),
      job: { limits: { maxOutputBytes: 10_000 } },
      code: 'render_output_too_large',
      message: /10000/,
    },
    {
      name: 'an address that is refused',
      document: { type: 'url', targetUrl: 'http://127.0.0.1:8081/' },
      job: { allowExternalNetwork: true },
      code: 'render_failed',
      message: /not publicly routable/,
    },
    {
      name: 'an address that does not resolve',
      document: { type: 'url', targetUrl: 'http://nothing.invalid/' },
      job: { allowExternalNetwork: true },
      code: 'render_failed',
      message: /resolve/,
    },
  ];

  for (const { name, document, job, code, message } of failingDocuments) {
    it(`have the code ${code}, and are noticed in time, for ${name}`, async () => {
      const startedAt = Date.now();
      const error = await renderErrorOf(print(renderer, document, job));
      expect(error.code).to.equal(code);
      if (message) expect(error.message).to.match(message);
      const { renderTimeoutMs = 5_000, loadTimeoutMs = 5_000 } = job?.limits ?? {};
      expect(Date.now() - startedAt).to.be.lessThan(
        Math.min(renderTimeoutMs, loadTimeoutMs) + graceMs,
      );
      expect(error.browserMs).to.be.greaterThan(0);
    });
  }

  it('have the code of the limit that was reached, for a response that never ends', async () => {
    const never = { has: () => true, read: () => new Promise<undefined>(() => undefined) };
    const document = { type: 'package', route: 'index.html', files: never } as const;
    const error = await renderErrorOf(
      print(renderer, document, { limits: { loadTimeoutMs: 400 } }),
    );
    expect(error.code).to.equal('navigation_timeout');
  });

  it('do not include errors of scripts: the document is printed, and the errors are in its log', async () => {
    const source = `setTimeout(() => { throw new Error('oops') }); console.warn('careful'); alert('hi');
      confirm('sure?'); window.open('/popup.html'); addEventListener('beforeunload', (e) => e.preventDefault());
      fetch('/missing.json'); fetch('https://example.com/secret?token=1').catch(() => 0); new WebSocket('ws://127.0.0.1:8081/')`;
    const { events } = await print(renderer, script(source), { allowExternalNetwork: false });
    const reported = events.map(({ code, message }) => `${code}: ${message}`).join('\n');
    for (const expected of [
      /page_error: Error: oops/,
      /console_warn: careful/,
      /dialog_closed: alert: hi/,
      /dialog_closed: confirm: sure\?/,
      /request_failed: \/missing\.json answered 404/,
      /egress_denied: example\.com:443 cannot be reached/,
      /egress_denied: 127\.0\.0\.1:8081 cannot be reached/,
    ])
      expect(reported).to.match(expected);
    expect(reported).not.to.include('token');
    expect(events.filter(({ level }) => level === 'info').map(({ stage }) => stage)).to.deep.equal([
      'load',
      'ready',
      'print',
    ]);
  });

  it('do not include long messages of the console: the log contains their beginning', async () => {
    const printed = await print(renderer, script(`console.error('x'.repeat(100_000))`));
    expect(consoleErrors(printed)[0]?.length).to.be.lessThan(2_000);
  });

  /** Kills processes of the browser during a job. Returns the error code of the job, and how long it took to fail. */
  const killDuringJob = async (renderer: Renderer, workFolder: string, type: string) => {
    const started = Promise.withResolvers<void>();
    const source = `console.error('started'); window.renderReady = new Promise(() => {})`;
    const failure = renderErrorOf(
      print(renderer, script(source), { onEvent: () => started.resolve() }),
    );
    await started.promise;
    const killedAt = Date.now();
    await killProcesses(workFolder, type);
    return { code: (await failure).code, elapsedMs: Date.now() - killedAt };
  };

  for (const [event, type] of [
    ['the browser is killed', 'browser'],
    ['the page crashes', 'renderer'],
  ] as const)
    it(`are noticed within 1 s when ${event}, and the next job is printed in another browser`, async () => {
      // There must be no spare browser, because it would be killed, too.
      const workFolder = workFolderFor(type);
      await using renderer = await startRenderer({ workFolder, slots: 1, browsers: 1 });
      const { code, elapsedMs } = await killDuringJob(renderer, workFolder, type);
      expect(code).to.equal('render_crashed');
      expect(elapsedMs).to.be.lessThan(1_000);
      await print(renderer, page('next'));
    });

  it('have no code when storing the PDF fails: that error is passed on unchanged, and the browser is kept', async () => {
    const cause = new Error('storage is down');
    const { kills } = renderer.stats();
    const error = await print(renderer, page('x'), {}, () => Promise.reject(cause)).catch((e) => e);
    expect(error).to.equal(cause);
    expect(renderer.stats().kills).to.equal(kills);
  });

  it('have no code when reading a file fails: that error is passed on unchanged', async () => {
    const cause = new Error('pack is gone');
    const files = { has: () => true, read: () => Promise.reject(cause) };
    const document = { type: 'package', route: 'index.html', files } as const;
    expect(await print(renderer, document).catch((e) => e)).to.equal(cause);
  });

  it('end the stream of a PDF over the limit with an error, so that the PDF is not stored', async () => {
    let streamError: unknown;
    const store = (pdf: Readable) =>
      buffer(pdf).catch((error) => {
        streamError = error;
        throw error;
      });
    await renderErrorOf(
      print(
        renderer,
        page(`<p>${'word '.repeat(20_000)}</p>`),
        { limits: { maxOutputBytes: 10_000 } },
        store,
      ),
    );
    expect(streamError).to.have.property('code', 'render_output_too_large');
  });
});

describeForEngines('cancelling', function () {
  this.timeout(30_000);
  const workFolder = workFolderFor('cancelling');
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ workFolder, slots: 1, browsers: 1 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  it('kills the browser at once, also while it prints, and rejects with the reason', async () => {
    const cancel = new AbortController();
    const source = `addEventListener('beforeprint', () => { console.error('printing'); ${endlessLoop} })`;
    const onEvent = ({ code }: RenderEvent) => {
      if (code === 'console_error') cancel.abort(new Error('not wanted'));
    };
    const { pid } = (await listProcesses(workFolder))[0] ?? {};
    const printing = print(renderer, script(source), { signal: cancel.signal, onEvent });
    expect(await printing.catch((error) => error)).to.have.property('message', 'not wanted');
    await waitUntil(async () => !(await listProcesses(workFolder)).some((one) => one.pid === pid));
  });

  it('ends a job that waits for a slot', async () => {
    const endRunning = new AbortController();
    const endWaiting = new AbortController();
    const neverReady = script('window.renderReady = new Promise(() => {})');
    const running = print(renderer, neverReady, { signal: endRunning.signal }).catch(
      (error) => error,
    );
    await waitUntil(() => renderer.stats().busySlots === 1);
    const waiting = print(renderer, neverReady, { signal: endWaiting.signal }).catch(
      (error) => error,
    );
    await waitUntil(() => renderer.stats().waiting === 1);
    endWaiting.abort(new Error('gave up'));
    expect(await waiting).to.have.property('message', 'gave up');
    expect(renderer.stats().waiting).to.equal(0);
    endRunning.abort(new Error('enough'));
    expect(await running).to.have.property('message', 'enough');
    await print(renderer, page('the slot is free again'));
  });
});

describe('the memory limit', function () {
  this.timeout(60_000);
  const memoryFillers: [string, string][] = [
    ['ArrayBuffers', 'const all = []; for (;;) all.push(new Uint8Array(16e6).fill(1));'],
    [
      'objects',
      'const all = []; for (;;) all.push(Array.from({ length: 1e5 }, (_, i) => ({ i, s: "x" + i })));',
    ],
  ];
  for (const [kind, source] of memoryFillers) {
    it(`kills a page that fills its memory with ${kind}`, async () => {
      await using renderer = await startRenderer({
        slots: 1,
        browsers: 1,
        memoryLimitBytes: 400 * 1024 ** 2,
      });
      const error = await renderErrorOf(print(renderer, script(source)));
      expect(error.code).to.equal('render_crashed');
      await print(
        renderer,
        page('<p>200 MB are allowed</p><script>window.b = new Uint8Array(2e8).fill(1)</script>'),
      );
    });
  }
});
