import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { RenderEvent } from '../../contracts/logs.ts';
import type { Renderer } from '../../renderer/renderer.ts';
import {
  consoleErrors,
  describeForEngines,
  faultOf,
  folderFor,
  type Job,
  killProcesses,
  packageOf,
  page,
  print,
  processesOf,
  script,
  startRenderer,
  until,
} from './renderer-fixture.ts';

/** How late a limit may be noticed. */
const graceMs = 2_000;
const endless = 'for (;;) {}';

describeForEngines('telling faults apart', function () {
  this.timeout(30_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer();
  });
  after(() => renderer[Symbol.asyncDispose]());

  interface Fault {
    readonly name: string;
    readonly document: Parameters<typeof print>[1];
    readonly job?: Job;
    readonly code: string;
    readonly message?: RegExp;
  }

  const faults: Fault[] = [
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
      document: script(endless),
      job: { limits: { loadTimeoutMs: 500 } },
      code: 'navigation_timeout',
    },
    {
      name: 'an endless loop that meets the whole limit first',
      document: script(endless),
      job: { limits: { renderTimeoutMs: 500 } },
      code: 'render_timeout_exceeded',
    },
    {
      name: 'an endless loop in renderReady',
      document: script(`window.renderReady = () => { ${endless} }`),
      job: { limits: { renderTimeoutMs: 700 } },
      code: 'render_timeout_exceeded',
    },
    {
      name: 'an endless loop in beforeprint',
      document: script(`addEventListener('beforeprint', () => { ${endless} })`),
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

  for (const { name, document, job, code, message } of faults) {
    it(`ends ${name} with ${code}, in time`, async () => {
      const begun = Date.now();
      const fault = await faultOf(print(renderer, document, job));
      expect(fault.code).to.equal(code);
      if (message) expect(fault.message).to.match(message);
      const { renderTimeoutMs = 5_000, loadTimeoutMs = 5_000 } = job?.limits ?? {};
      expect(Date.now() - begun).to.be.lessThan(Math.min(renderTimeoutMs, loadTimeoutMs) + graceMs);
      expect(fault.browserMs).to.be.greaterThan(0);
    });
  }

  it('ends an endless response with the code of the limit that it meets', async () => {
    const never = { has: () => true, read: () => new Promise<undefined>(() => undefined) };
    const document = { type: 'package', route: 'index.html', files: never } as const;
    const fault = await faultOf(print(renderer, document, { limits: { loadTimeoutMs: 400 } }));
    expect(fault.code).to.equal('navigation_timeout');
  });

  it('prints a document whose scripts fail, and reports what they did', async () => {
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
      /egress_denied: example\.com:443 may not be reached/,
      /egress_denied: 127\.0\.0\.1:8081 may not be reached/,
    ])
      expect(reported).to.match(expected);
    expect(reported).not.to.include('token');
    expect(events.filter(({ level }) => level === 'info').map(({ stage }) => stage)).to.deep.equal([
      'load',
      'ready',
      'print',
    ]);
  });

  it('cuts long messages', async () => {
    const printed = await print(renderer, script(`console.error('x'.repeat(100_000))`));
    expect(consoleErrors(printed)[0]?.length).to.be.lessThan(2_000);
  });

  /** Kills processes of the browser in mid-job, and says how the job ended and how long after. */
  const killInMidJob = async (renderer: Renderer, workFolder: string, type: string) => {
    const begun = Promise.withResolvers<void>();
    const source = `console.error('begun'); window.renderReady = new Promise(() => {})`;
    const fault = faultOf(print(renderer, script(source), { onEvent: () => begun.resolve() }));
    await begun.promise;
    const killedAt = Date.now();
    await killProcesses(workFolder, type);
    return { code: (await fault).code, elapsedMs: Date.now() - killedAt };
  };

  for (const [what, type] of [
    ['the browser was killed', 'browser'],
    ['the page crashed', 'renderer'],
  ] as const)
    it(`notices within 1 s that ${what}, and prints the next job in another browser`, async () => {
      // Without a spare, which would be killed along.
      const workFolder = folderFor(type);
      await using renderer = await startRenderer({ workFolder, slots: 1, browsers: 1 });
      const { code, elapsedMs } = await killInMidJob(renderer, workFolder, type);
      expect(code).to.equal('render_crashed');
      expect(elapsedMs).to.be.lessThan(1_000);
      await print(renderer, page('next'));
    });

  it('passes on what storing failed with, unchanged, and keeps the browser', async () => {
    const trouble = new Error('storage is down');
    const { kills } = renderer.stats();
    const error = await print(renderer, page('x'), {}, () => Promise.reject(trouble)).catch(
      (e) => e,
    );
    expect(error).to.equal(trouble);
    expect(renderer.stats().kills).to.equal(kills);
  });

  it('passes on what reading a file failed with, unchanged', async () => {
    const trouble = new Error('pack is gone');
    const files = { has: () => true, read: () => Promise.reject(trouble) };
    const document = { type: 'package', route: 'index.html', files } as const;
    expect(await print(renderer, document).catch((e) => e)).to.equal(trouble);
  });

  it('stores nothing of a PDF over the limit: its stream fails', async () => {
    let failedWith: unknown;
    const store = (pdf: Readable) =>
      buffer(pdf).catch((error) => {
        failedWith = error;
        throw error;
      });
    await faultOf(
      print(
        renderer,
        page(`<p>${'word '.repeat(20_000)}</p>`),
        { limits: { maxOutputBytes: 10_000 } },
        store,
      ),
    );
    expect(failedWith).to.have.property('code', 'render_output_too_large');
  });
});

describeForEngines('cancelling', function () {
  this.timeout(30_000);
  const workFolder = folderFor('cancelling');
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ workFolder, slots: 1, browsers: 1 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  it('closes the browser at once, in mid-print, and rejects with the reason', async () => {
    const cancel = new AbortController();
    const source = `addEventListener('beforeprint', () => { console.error('printing'); ${endless} })`;
    const onEvent = ({ code }: RenderEvent) => {
      if (code === 'console_error') cancel.abort(new Error('not wanted'));
    };
    const { pid } = (await processesOf(workFolder))[0] ?? {};
    const printing = print(renderer, script(source), { signal: cancel.signal, onEvent });
    expect(await printing.catch((error) => error)).to.have.property('message', 'not wanted');
    await until(async () => !(await processesOf(workFolder)).some((one) => one.pid === pid));
  });

  it('frees a job that waits for a slot', async () => {
    const hold = new AbortController();
    const wait = new AbortController();
    const never = script('window.renderReady = new Promise(() => {})');
    const held = print(renderer, never, { signal: hold.signal }).catch((error) => error);
    await until(() => renderer.stats().busySlots === 1);
    const waiting = print(renderer, never, { signal: wait.signal }).catch((error) => error);
    await until(() => renderer.stats().waiting === 1);
    wait.abort(new Error('gave up'));
    expect(await waiting).to.have.property('message', 'gave up');
    expect(renderer.stats().waiting).to.equal(0);
    hold.abort(new Error('enough'));
    expect(await held).to.have.property('message', 'enough');
    await print(renderer, page('the slot is free again'));
  });
});

describe('memory', function () {
  this.timeout(60_000);
  const hungry: [string, string][] = [
    ['ArrayBuffers', 'const all = []; for (;;) all.push(new Uint8Array(16e6).fill(1));'],
    [
      'the heap',
      'const all = []; for (;;) all.push(Array.from({ length: 1e5 }, (_, i) => ({ i, s: "x" + i })));',
    ],
  ];
  for (const [what, source] of hungry) {
    it(`kills a page that eats memory by ${what} at the cap`, async () => {
      await using renderer = await startRenderer({
        slots: 1,
        browsers: 1,
        memoryLimitBytes: 400 * 1024 ** 2,
      });
      const fault = await faultOf(print(renderer, script(source)));
      expect(fault.code).to.equal('render_crashed');
      await print(
        renderer,
        page('<p>200 MB are allowed</p><script>window.b = new Uint8Array(2e8).fill(1)</script>'),
      );
    });
  }
});
