import type { DocumentKind } from '../document.ts';
import type { FileMap, Packages } from '../packages.ts';
import { page } from './page.ts';

const preactFiles = ({ file }: Packages): FileMap => ({
  'preact.mjs': file('preact/dist/preact.mjs'),
  'hooks.mjs': file('preact/hooks/dist/hooks.mjs'),
});

const preactImports =
  '<script type="importmap">{"imports":{"preact":"./preact.mjs","preact/hooks":"./hooks.mjs"}}</script>';

/** Five files. Each one names the next. */
const chain: FileMap = Object.fromEntries(
  [1, 2, 3, 4, 5].map((step) => [
    `step-${step}.json`,
    JSON.stringify({ next: step < 5 ? `step-${step + 1}.json` : null, word: `part${step}` }),
  ]),
);

const redDot =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="crimson"/><text x="20" y="100" font-size="40">inserted</text></svg>';

/** Documents without `renderReady` that still change after `load`. A printer that prints at `load` misses the change. */
export const races: DocumentKind = {
  kind: 'races',
  documents: [
    {
      name: 'race-preact-effect',
      set: 'fast',
      ready: 'nothing',
      files: (packages) => ({
        'index.html': page({
          head: preactImports,
          body: '<div id="app"></div>',
          module: `
            import { h, render } from 'preact';
            import { useEffect, useState } from 'preact/hooks';
            function App() {
              const [data, setData] = useState();
              useEffect(() => { fetch('/__payload').then((answer) => answer.json()).then(setData); }, []);
              return data ? h('h1', null, 'Prepared for ' + data.customer) : h('p', null, 'Loading');
            }
            render(h(App), document.getElementById('app'));`,
        }),
        ...preactFiles(packages),
      }),
      expect: { text: 'Prepared for Ada Lovelace' },
    },
    {
      name: 'race-preact-nested-effects',
      set: 'fast',
      ready: 'nothing',
      files: (packages) => ({
        'index.html': page({
          head: preactImports,
          body: '<div id="app"></div>',
          module: `
            import { h, render } from 'preact';
            import { useEffect, useState } from 'preact/hooks';
            function Total({ rows }) {
              const [total, setTotal] = useState();
              useEffect(() => {
                fetch('rates.json').then((answer) => answer.json())
                  .then(({ rate }) => setTotal(rows.length * rate));
              }, [rows]);
              return h('p', null, total === undefined ? 'Adding' : 'Total of ' + total);
            }
            function App() {
              const [data, setData] = useState();
              useEffect(() => { fetch('/__payload').then((answer) => answer.json()).then(setData); }, []);
              return data ? h(Total, { rows: data.rows }) : h('p', null, 'Loading');
            }
            render(h(App), document.getElementById('app'));`,
        }),
        'rates.json': '{"rate":100}',
        ...preactFiles(packages),
      }),
      expect: { text: 'Total of 1200' },
    },
    {
      name: 'race-two-frames-then-fetch',
      set: 'fast',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<h1>Waiting</h1>',
          script: `
            requestAnimationFrame(() => requestAnimationFrame(async () => {
              const data = await (await fetch('/__payload')).json();
              document.querySelector('h1').textContent = 'Fetched after two frames: ' + data.title;
            }));`,
        }),
      }),
      expect: { text: 'Fetched after two frames: Yearly sales' },
    },
    {
      name: 'race-lodash-debounce',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['lodash.js'],
          body: '<h1>Waiting</h1><ul></ul>',
          script: `
            const draw = _.debounce((data) => {
              document.querySelector('h1').textContent = 'Drawn once for ' + data.customer;
              document.querySelector('ul').innerHTML = data.rows.map(({ month }) => '<li>' + month).join('');
            }, 300);
            fetch('/__payload').then((answer) => answer.json()).then((data) => { draw(data); draw(data); });`,
        }),
        'lodash.js': file('lodash/lodash.min.js'),
      }),
      expect: { text: ['Drawn once for Ada Lovelace', 'December'] },
    },
    {
      name: 'race-chained-fetches',
      set: 'fast',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p></p>',
          script: `
            (async () => {
              for (let next = 'step-1.json'; next;) {
                const step = await (await fetch(next)).json();
                document.querySelector('p').textContent += step.word + ' ';
                next = step.next;
              }
              document.querySelector('p').textContent += 'and all';
            })();`,
        }),
        ...chain,
      }),
      expect: { text: 'part1 part2 part3 part4 part5 and all' },
    },
    {
      name: 'race-chained-fetches-with-pauses',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p></p>',
          script: `
            const pause = () => new Promise((resolve) => setTimeout(resolve, 60));
            (async () => {
              for (let next = 'step-1.json'; next;) {
                const step = await (await fetch(next)).json();
                await pause();
                document.querySelector('p').textContent += step.word + ' ';
                next = step.next;
              }
              document.querySelector('p').textContent += 'and all';
            })();`,
        }),
        ...chain,
      }),
      expect: { text: 'part1 part2 part3 part4 part5 and all' },
    },
    {
      name: 'race-chart-animation',
      set: 'fast',
      ready: 'nothing',
      late: true,
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['chart.js'],
          body: '<p>Drawing</p><div style="width:600px"><canvas></canvas></div>',
          script: `
            fetch('/__payload').then((answer) => answer.json()).then(({ rows }) => {
              new Chart(document.querySelector('canvas'), {
                type: 'bar',
                data: {
                  labels: rows.map(({ month }) => month),
                  datasets: [{ label: 'apples', data: rows.map(({ apples }) => apples), backgroundColor: 'teal' }],
                },
                options: {
                  animation: {
                    duration: 1000,
                    onComplete: () => { document.querySelector('p').textContent = 'Animation has ended'; },
                  },
                },
              });
            });`,
        }),
        'chart.js': file('chart.js/dist/chart.umd.js'),
      }),
      expect: { text: 'Animation has ended', ink: 0.05 },
    },
    {
      name: 'race-worker-computes',
      set: 'fast',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<h1>Computing</h1>',
          script: `
            const worker = new Worker('worker.js');
            worker.onmessage = ({ data }) => { document.querySelector('h1').textContent = data; };
            worker.postMessage(300);`,
        }),
        'worker.js': `
          onmessage = ({ data }) => {
            const end = performance.now() + data;
            let rounds = 0;
            while (performance.now() < end) rounds++;
            postMessage('The worker has answered');
          };`,
      }),
      expect: { text: 'The worker has answered' },
    },
    {
      name: 'race-image-inserted-late',
      set: 'fast',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<div id="place"></div>',
          script: `
            addEventListener('load', () => setTimeout(() => {
              const image = new Image(300, 200);
              image.onload = () => { document.body.append('The image is there'); };
              image.src = 'dot.svg';
              document.getElementById('place').append(image);
            }, 50));`,
        }),
        'dot.svg': redDot,
      }),
      expect: { text: 'The image is there', ink: 0.05 },
    },
    {
      name: 'race-font-face-late',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          body: '<h1 style="font-family: Late, serif">אבגדה</h1><p>Waiting</p>',
          script: `
            addEventListener('load', () => setTimeout(async () => {
              const face = new FontFace('Late', 'url(hebrew.woff2)');
              document.fonts.add(await face.load());
              document.querySelector('p').textContent = 'The font is there';
            }, 50));`,
        }),
        'hebrew.woff2': file(
          '@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-400-normal.woff2',
        ),
      }),
      expect: { text: 'The font is there' },
    },
    {
      name: 'race-settimeout-chain',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p></p>',
          script: `
            let rows = 0;
            const add = () => {
              document.querySelector('p').append('row' + ++rows + ' ');
              if (rows < 20) setTimeout(add, 10);
              else document.body.append('All rows are there');
            };
            setTimeout(add, 10);`,
        }),
      }),
      expect: { text: 'All rows are there' },
    },
    {
      name: 'race-idle-callback',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p>Waiting</p>',
          script: `
            addEventListener('load', () => requestIdleCallback(async () => {
              const data = await (await fetch('/__payload')).json();
              requestIdleCallback(() => { document.querySelector('p').textContent = 'Idle at last, ' + data.customer; });
            }));`,
        }),
      }),
      expect: { text: 'Idle at last, Ada Lovelace' },
    },
    {
      name: 'race-dynamic-import',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p>Waiting</p>',
          module: `
            addEventListener('load', async () => {
              const { draw } = await import('./draw.js');
              await draw(document.querySelector('p'));
            });`,
        }),
        'draw.js': `
          export async function draw(place) {
            const { words } = await import('./words.js');
            place.textContent = words;
          }`,
        'words.js': `export const words = 'Imported in two steps';`,
      }),
      expect: { text: 'Imported in two steps' },
    },
    {
      name: 'race-intersection-observer',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p>Waiting</p>',
          script: `
            new IntersectionObserver(async ([entry], observer) => {
              if (!entry.isIntersecting) return;
              observer.disconnect();
              const data = await (await fetch('/__payload')).json();
              document.querySelector('p').textContent = 'Seen, ' + data.customer;
            }).observe(document.querySelector('p'));`,
        }),
      }),
      expect: { text: 'Seen, Ada Lovelace' },
    },
    {
      name: 'race-indexeddb-round',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['dexie.js'],
          body: '<p>Waiting</p>',
          script: `
            const db = new Dexie('sales');
            db.version(1).stores({ rows: 'month' });
            fetch('/__payload').then((answer) => answer.json()).then(async ({ rows }) => {
              await db.rows.bulkPut(rows);
              const found = await db.rows.where('month').startsWith('J').toArray();
              document.querySelector('p').textContent = 'Stored and found: ' + found.map(({ month }) => month).join(', ');
            });`,
        }),
        'dexie.js': file('dexie/dist/dexie.min.js'),
      }),
      expect: { text: 'Stored and found: January, July, June' },
    },
    {
      name: 'race-stylesheet-inserted-late',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p>Unstyled</p>',
          script: `
            addEventListener('load', () => setTimeout(() => {
              const link = document.createElement('link');
              link.rel = 'stylesheet';
              link.href = 'late.css';
              link.onload = () => { document.querySelector('p').textContent = 'Styled'; };
              document.head.append(link);
            }, 100));`,
        }),
        'late.css':
          'p { font-size: 60px; background: gold; } p::after { content: " by a late sheet"; }',
      }),
      expect: { text: 'Styled by a late sheet', ink: 0.02 },
    },
    {
      name: 'race-fetch-every-200-ms',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p></p>',
          script: `
            let round = 0;
            const timer = setInterval(async () => {
              const mine = ++round;
              if (mine === 5) clearInterval(timer);
              await fetch('/__payload?round=' + mine);
              document.querySelector('p').append('round' + mine + ' ');
            }, 200);`,
        }),
      }),
      expect: { text: 'round5' },
    },
  ],
};
