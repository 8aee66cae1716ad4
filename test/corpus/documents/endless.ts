import type { CorpusDocument, DocumentKind } from '../document.ts';
import type { FileMap } from '../packages.ts';
import { page, withRenderReady } from './page.ts';

/** Creates a document that is ready 200 ms after its payload has arrived. `parts` start a request or other work that never ends. */
const document = (
  name: string,
  parts: {
    readonly script?: string;
    readonly body?: string;
    readonly head?: string;
    readonly knownDifferences?: CorpusDocument['knownDifferences'];
  },
  set: CorpusDocument['set'] = 'full',
  files: FileMap = {},
): CorpusDocument => ({
  name,
  set,
  ready: 'renderReady',
  endless: true,
  files: () => ({
    'index.html': page({
      body: `<h1>Waiting</h1>${parts.body ?? ''}`,
      head: parts.head ?? '',
      script: `
        ${parts.script ?? ''}
        ${withRenderReady(`
          await new Promise((resolve) => setTimeout(resolve, 200));
          document.querySelector('h1').textContent = 'Ready for ' + data.customer;
          console.error('ready');`)}`,
    }),
    ...files,
  }),
  expect: { text: 'Ready for Ada Lovelace' },
  ...(parts.knownDifferences && { knownDifferences: parts.knownDifferences }),
});

/** Documents that define `renderReady`, and have a request or other work that never ends. */
export const endless: DocumentKind = {
  kind: 'endless',
  documents: [
    document('endless-long-poll', { script: `fetch('/hang/poll');` }, 'fast'),
    document('endless-xhr', {
      script: `const xhr = new XMLHttpRequest(); xhr.open('GET', '/hang/xhr'); xhr.send();`,
    }),
    document('endless-long-poll-after-load', {
      script: `addEventListener('load', () => fetch('/hang/poll'));`,
    }),
    document(
      'endless-polling-back-to-back',
      {
        script: `(async () => { for (let n = 0; ; n++) await (await fetch('tick.json?' + n)).text(); })();`,
      },
      'fast',
      { 'tick.json': '{}' },
    ),
    document(
      'endless-polling-every-50-ms',
      { script: `setInterval(() => fetch('tick.json?' + Math.random()), 50);` },
      'full',
      { 'tick.json': '{}' },
    ),
    document(
      'endless-image-inserted',
      {
        script: `const image = new Image(50, 50); image.src = '/hang/image.png'; document.body.append(image);`,
      },
      'fast',
    ),
    document('endless-image-in-page', {
      body: '<img src="/hang/image.png" width="50" height="50" alt="">',
    }),
    document('endless-image-lazy', {
      body: '<div style="height:5000px"></div><img loading="lazy" src="/hang/image.png" width="50" height="50" alt="">',
    }),
    document('endless-background-image', {
      head: '<style>h1 { background: url(/hang/background.png) }</style>',
    }),
    document(
      'endless-stylesheet-inserted',
      {
        script: `addEventListener('load', () => {
          const link = document.createElement('link');
          link.rel = 'stylesheet';
          link.href = '/hang/late.css';
          document.body.append(link);
        });`,
      },
      'fast',
    ),
    document('endless-stylesheet-for-print', {
      head: '<link rel="stylesheet" media="(min-width: 100000px)" href="/hang/wide.css">',
    }),
    document('endless-script-async', {
      head: '<script async src="/hang/script.js"></script>',
    }),
    document('endless-script-inserted', {
      script: `const tag = document.createElement('script'); tag.src = '/hang/tag.js'; document.head.append(tag);`,
    }),
    document('endless-frame', {
      body: '<iframe src="/hang/frame.html" width="100" height="50"></iframe>',
    }),
    document('endless-frame-inserted', {
      script: `addEventListener('load', () => {
        const frame = document.createElement('iframe');
        frame.src = '/hang/frame.html';
        document.body.append(frame);
      });`,
    }),
    document(
      'endless-frame-fetching',
      { body: '<iframe src="frame.html" width="200" height="100"></iframe>' },
      'full',
      {
        'frame.html': page({
          body: '<p>frame</p>',
          script: `setInterval(() => fetch('tick.json?' + Math.random()), 20);`,
        }),
        'tick.json': '{}',
      },
    ),
    document(
      'endless-frame-busy',
      { body: '<iframe src="frame.html" width="200" height="100"></iframe>' },
      'full',
      {
        'frame.html': page({
          body: '<p>frame</p>',
          script: `setInterval(() => { const end = performance.now() + 15; while (performance.now() < end); }, 20);`,
        }),
      },
    ),
    document('endless-preload', {
      head: '<link rel="preload" as="fetch" href="/hang/preload.json" crossorigin>',
    }),
    document('endless-preload-font', {
      head: '<link rel="preload" as="font" type="font/woff2" href="/hang/font.woff2" crossorigin>',
    }),
    document('endless-prefetch', { head: '<link rel="prefetch" href="/hang/next.html">' }),
    document('endless-modulepreload', {
      head: '<link rel="modulepreload" href="/hang/module.js">',
    }),
    document('endless-dynamic-import', { script: `import('/hang/module.js');` }),
    document('endless-font-used', {
      head: `<style>
        @font-face { font-family: Hung; src: url(/hang/font.woff2); font-display: swap; }
        h1 { font-family: Hung, sans-serif; }</style>`,
    }),
    document('endless-event-source', { script: `new EventSource('/hang/events');` }),
    document('endless-beacon', { script: `navigator.sendBeacon('/hang/beacon', 'x');` }),
    document('endless-video', { body: '<video src="/hang/film.mp4" width="100"></video>' }),
    document('endless-object', {
      script: `addEventListener('load', () => {
        const part = document.createElement('object');
        part.data = '/hang/part.svg';
        document.body.append(part);
      });`,
    }),
    document('endless-worker-fetching', { script: `new Worker('worker.js');` }, 'full', {
      'worker.js': `fetch('/hang/worker.json');`,
    }),
    document('endless-worker-script', { script: `new Worker('/hang/worker.js');` }),
    document('endless-svg-image', {
      body: '<svg width="50" height="50"><image href="/hang/image.png" width="50" height="50"/></svg>',
      knownDifferences: [
        {
          aspect: 'pixels',
          reason: 'The service aborts an image that never loads, so it is shown as failed.',
        },
      ],
    }),
    document('endless-animation-frames', {
      body: '<i>0</i>',
      script: `
        let frames = 0;
        const step = () => { frames++; requestAnimationFrame(step); };
        step();`,
    }),
    document('endless-mutations', {
      body: '<i hidden>0</i>',
      script: `setInterval(() => { document.querySelector('i').textContent = Math.random(); }, 5);`,
    }),
  ],
};
