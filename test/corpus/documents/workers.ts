import type { DocumentKind } from '../document.ts';
import { page, withRenderReady } from './page.ts';

/** Source of a worker that answers with each message in capitals. */
const shout = `onmessage = ({ data }) => postMessage(data.toUpperCase());`;

/** Returns a page that sends the customer's name to a worker and is ready when the worker has answered. The expression `worker` creates the worker. */
const pageWithWorker = (
  worker: string,
  parts: { body?: string; scripts?: string[] } = {},
): string =>
  page({
    ...parts,
    body: `<h1>Waiting</h1>${parts.body ?? ''}`,
    script: withRenderReady(`
      const worker = ${worker};
      const answer = await new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = () => resolve('no worker');
        worker.postMessage(data.customer);
      });
      document.querySelector('h1').textContent = answer;`),
  });

/** Workers of every kind. */
export const workers: DocumentKind = {
  kind: 'workers',
  documents: [
    {
      name: 'worker-classic',
      set: 'fast',
      ready: 'renderReady',
      files: () => ({
        'index.html': pageWithWorker(`new Worker('worker.js')`),
        'worker.js': shout,
      }),
      expect: { text: 'ADA LOVELACE' },
    },
    {
      name: 'worker-module',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': pageWithWorker(`new Worker('worker.js', { type: 'module' })`),
        'worker.js': `import { shout } from './shout.js'; onmessage = ({ data }) => postMessage(shout(data));`,
        'shout.js': `export const shout = (text) => text.toUpperCase();`,
      }),
      expect: { text: 'ADA LOVELACE' },
    },
    {
      name: 'worker-blob',
      set: 'fast',
      ready: 'renderReady',
      files: () => ({
        'index.html': pageWithWorker(
          `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(shout)}])))`,
        ),
      }),
      expect: { text: 'ADA LOVELACE' },
    },
    {
      name: 'worker-data-url',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': pageWithWorker(
          `new Worker('data:text/javascript,' + encodeURIComponent(${JSON.stringify(shout)}))`,
        ),
      }),
      expect: { text: 'ADA LOVELACE' },
    },
    {
      name: 'worker-nested',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': pageWithWorker(`new Worker('outer.js')`),
        'outer.js': `
          const inner = new Worker('inner.js');
          inner.onmessage = ({ data }) => postMessage(data);
          onmessage = ({ data }) => inner.postMessage(data);`,
        'inner.js': shout,
      }),
      expect: { text: 'ADA LOVELACE' },
    },
    {
      name: 'worker-script-missing',
      set: 'full',
      ready: 'renderReady',
      files: () => ({ 'index.html': pageWithWorker(`new Worker('not-there.js')`) }),
      expect: { text: 'no worker' },
    },
    {
      name: 'worker-script-missing-unawaited',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p>Printed all the same</p>',
          script: `new Worker('not-there.js');`,
        }),
      }),
      expect: { text: 'Printed all the same' },
    },
    {
      name: 'worker-shared',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<h1></h1>',
          script: withRenderReady(`
            const { port } = new SharedWorker('shared.js');
            const answer = await new Promise((resolve) => {
              port.onmessage = ({ data }) => resolve(data);
              port.postMessage(data.customer);
            });
            document.querySelector('h1').textContent = answer;`),
        }),
        'shared.js': `
          onconnect = ({ ports: [port] }) => {
            port.onmessage = ({ data }) => port.postMessage(data.toUpperCase());
          };`,
      }),
      expect: { text: 'ADA LOVELACE' },
    },
    {
      name: 'worker-comlink',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['comlink.js'],
          body: '<h1></h1>',
          script: withRenderReady(`
            const remote = Comlink.wrap(new Worker('worker.js'));
            const sum = await remote.total(data.rows.map(({ apples }) => apples));
            document.querySelector('h1').textContent = 'Total of ' + sum + ' apples';`),
        }),
        'comlink.js': file('comlink/dist/umd/comlink.min.js'),
        'worker.js': `
          importScripts('comlink.js');
          Comlink.expose({ total: (values) => values.reduce((sum, value) => sum + value, 0) });`,
      }),
      expect: { text: 'Total of 822 apples' },
    },
    {
      name: 'worker-offscreen-canvas',
      set: 'fast',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<canvas width="400" height="200"></canvas><p></p>',
          script: withRenderReady(`
            const worker = new Worker('worker.js');
            const bitmap = await new Promise((resolve) => {
              worker.onmessage = ({ data }) => resolve(data);
              worker.postMessage(data.rows);
            });
            document.querySelector('canvas').getContext('bitmaprenderer').transferFromImageBitmap(bitmap);
            document.querySelector('p').textContent = 'Drawn elsewhere';`),
        }),
        'worker.js': `
          onmessage = ({ data: rows }) => {
            const canvas = new OffscreenCanvas(400, 200);
            const context = canvas.getContext('2d');
            context.fillStyle = 'teal';
            rows.forEach(({ apples }, index) => context.fillRect(index * 32, 200 - apples, 28, apples));
            const bitmap = canvas.transferToImageBitmap();
            postMessage(bitmap, [bitmap]);
          };`,
      }),
      expect: { text: 'Drawn elsewhere', ink: 0.02 },
    },
    {
      name: 'worker-fetches-payload',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': pageWithWorker(`new Worker('worker.js')`),
        'worker.js': `
          onmessage = async () => {
            const { title } = await (await fetch('/__payload')).json();
            postMessage('The worker has read ' + title);
          };`,
      }),
      expect: { text: 'The worker has read Yearly sales' },
    },
    {
      name: 'worker-fetches-on-its-own',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<h1>Waiting</h1>',
          script: `
            new Worker('worker.js').onmessage = ({ data }) => { document.querySelector('h1').textContent = data; };`,
        }),
        'worker.js': `
          fetch('/__payload').then((answer) => answer.json()).then(({ title }) => postMessage('Told by a worker: ' + title));`,
      }),
      expect: { text: 'Told by a worker: Yearly sales' },
    },
    {
      name: 'worker-never-ends',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': pageWithWorker(`new Worker('worker.js')`),
        'worker.js': `onmessage = ({ data }) => { postMessage(data.toUpperCase()); for (;;); };`,
      }),
      expect: { text: 'ADA LOVELACE' },
    },
    {
      name: 'worker-pool-of-eight',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<ul></ul>',
          script: withRenderReady(`
            const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => new Promise((resolve) => {
              const worker = new Worker('worker.js');
              worker.onmessage = ({ data }) => { worker.terminate(); resolve(data); };
              worker.postMessage(data.rows[index].month);
            })));
            document.querySelector('ul').innerHTML = answers.map((answer) => '<li>' + answer).join('');`),
        }),
        'worker.js': shout,
      }),
      expect: { text: ['JANUARY', 'AUGUST'] },
    },
    {
      name: 'worker-pdf-js',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['pdf.js'],
          body: '<canvas></canvas><p></p>',
          script: withRenderReady(`
            pdfjsLib.GlobalWorkerOptions.workerSrc = 'pdf.worker.js';
            const pdf = await pdfjsLib.getDocument({ url: 'inner.pdf' }).promise;
            const sheet = await pdf.getPage(1);
            const viewport = sheet.getViewport({ scale: 1 });
            const canvas = document.querySelector('canvas');
            Object.assign(canvas, { width: viewport.width, height: viewport.height });
            await sheet.render({ canvasContext: canvas.getContext('2d'), viewport }).promise;
            document.querySelector('p').textContent = 'A PDF of ' + pdf.numPages + ' page';`),
        }),
        'pdf.js': file('pdfjs-dist/build/pdf.min.js'),
        'pdf.worker.js': file('pdfjs-dist/build/pdf.worker.min.js'),
        'inner.pdf': innerPdf,
      }),
      expect: { text: 'A PDF of 1 page', ink: 0.01 },
    },
  ],
};

/** One small page with a filled rectangle and a line of text. Readers rebuild its missing cross-reference table. */
const innerPdf = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>> endobj
4 0 obj <</Length 85>> stream
0.9 0.3 0.1 rg 20 20 200 80 re f BT /F 24 Tf 0 g 30 140 Td (Inside a document) Tj ET
endstream endobj
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
trailer <</Root 1 0 R>>
`;
