import { app } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import { page, withoutRenderReady, withRenderReady } from './page.ts';

/** Formulas, diagrams, music scores, and results of WebAssembly. */
export const science: DocumentKind = {
  kind: 'science',
  documents: [
    {
      name: 'katex-formulas',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file, folder }) => ({
        'index.html': page({
          styles: ['katex/katex.css'],
          scripts: ['katex/katex.js', 'katex/auto-render.js'],
          body: '<p>Euler wrote $$e^{i\\pi} + 1 = 0$$ and $$\\sum_{n=1}^\\infty \\frac{1}{n^2} = \\frac{\\pi^2}{6}$$ long ago.</p>',
          script: 'renderMathInElement(document.body); window.renderReady = document.fonts.ready;',
        }),
        'katex/katex.js': file('katex/dist/katex.min.js'),
        'katex/katex.css': file('katex/dist/katex.min.css'),
        'katex/auto-render.js': file('katex/dist/contrib/auto-render.min.js'),
        ...folder('katex/dist/fonts', 'katex/fonts'),
      }),
      expect: { text: ['Euler wrote', 'long ago'], ink: 0.003 },
    },
    {
      name: 'mathjax-svg',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          head: '<script async src="tex-svg.js"></script>',
          body: '<p>Euler wrote \\[e^{i\\pi} + 1 = 0\\] long ago.</p>',
        }),
        'tex-svg.js': file('mathjax/es5/tex-svg.js'),
      }),
      expect: { text: ['Euler wrote', 'long ago'], ink: 0.001 },
    },
    {
      name: 'mathjax-chtml-ready',
      set: 'full',
      ready: 'renderReady',
      files: ({ file, folder }) => ({
        'index.html': page({
          head: `<script>
            window.renderReady = new Promise((resolve) => {
              window.MathJax = { startup: { pageReady: () => MathJax.startup.defaultPageReady().then(() => document.fonts.ready).then(resolve) } };
            });</script><script defer src="mathjax/tex-chtml.js"></script>`,
          body: '<p>Euler wrote \\[\\int_0^1 x^2\\,dx = \\frac13\\] long ago.</p>',
        }),
        'mathjax/tex-chtml.js': file('mathjax/es5/tex-chtml.js'),
        ...folder('mathjax/es5/output', 'mathjax/output'),
      }),
      expect: { text: ['Euler wrote', 'long ago'] },
    },
    {
      name: 'temml-mathml',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['temml.css'],
          scripts: ['temml.js'],
          body: '<p>Solved:</p><div></div>',
          script: withRenderReady(
            `temml.render('x = \\\\frac{-b \\\\pm \\\\sqrt{b^2-4ac}}{2a}', document.querySelector('div'), { displayMode: true });`,
          ),
        }),
        'temml.js': file('temml/dist/temml.min.js'),
        'temml.css': file('temml/dist/Temml-Local.css'),
      }),
      expect: { text: 'Solved:', ink: 0.001 },
    },
    {
      name: 'mermaid-flowchart',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['mermaid.js'],
          body: '<pre class="mermaid">flowchart LR\n  Order --> Payment --> Delivery</pre>',
          script: `
            mermaid.initialize({ startOnLoad: false });
            window.renderReady = mermaid.run();`,
        }),
        'mermaid.js': file('@mermaid-js/tiny/dist/mermaid.tiny.js'),
      }),
      expect: { text: ['Order', 'Payment', 'Delivery'] },
    },
    {
      name: 'mermaid-on-load',
      set: 'full',
      ready: 'nothing',
      late: true,
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['mermaid.js'],
          body: '<pre class="mermaid">sequenceDiagram\n  Alice->>Bob: invoice\n  Bob-->>Alice: payment</pre>',
          script: `
            mermaid.initialize({ startOnLoad: false });
            addEventListener('load', () => mermaid.run().then(() => document.body.append('All is drawn')));`,
        }),
        'mermaid.js': file('@mermaid-js/tiny/dist/mermaid.tiny.js'),
      }),
      expect: { text: ['All is drawn', 'payment'] },
    },
    {
      name: 'viz-js-graph',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['viz.js'],
          body: '<div></div>',
          script: withRenderReady(`
            const viz = await Viz.instance();
            document.querySelector('div').append(viz.renderSVGElement('digraph { order -> payment; payment -> "' + data.customer + '" }'));`),
        }),
        'viz.js': file('@viz-js/viz/dist/viz-global.js'),
      }),
      expect: { text: ['order', 'Ada Lovelace'], ink: 0.001 },
    },
    {
      name: 'cytoscape-graph',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['cytoscape.js'],
          body: '<div id="graph" style="width:640px;height:400px"></div><p></p>',
          script: `
            window.renderReady = new Promise((resolve) => {
              const graph = cytoscape({
                container: document.getElementById('graph'),
                elements: ['a', 'b', 'c'].map((id) => ({ data: { id } })).concat([{ data: { id: 'ab', source: 'a', target: 'b' } }]),
                layout: { name: 'circle', animate: false },
              });
              graph.one('render', () => requestAnimationFrame(() => {
                document.querySelector('p').textContent = 'Drawn by cytoscape';
                resolve();
              }));
            });`,
        }),
        'cytoscape.js': file('cytoscape/dist/cytoscape.min.js'),
      }),
      expect: { text: 'Drawn by cytoscape', ink: 0.001 },
    },
    {
      name: 'nomnoml-classes',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['graphre.js', 'nomnoml.js'],
          body: '<div></div>',
          script: `document.querySelector('div').innerHTML = nomnoml.renderSvg('[Customer] -> [Order]');`,
        }),
        'graphre.js': file('graphre/dist/graphre.js'),
        'nomnoml.js': file('nomnoml/dist/nomnoml.js'),
      }),
      expect: { text: ['Customer', 'Order'] },
    },
    {
      name: 'flowchart-js-steps',
      set: 'full',
      ready: 'renderReady',
      files: () =>
        app(
          'full',
          `
          import flowchart from 'flowchart.js';
          window.renderReady = Promise.resolve().then(() =>
            flowchart.parse('st=>start: Begin\\ne=>end: End\\nop=>operation: Work\\nst->op->e').drawSVG('app'));`,
        ),
      expect: { text: ['Begin', 'Work', 'End'] },
    },
    {
      name: 'rough-js-sketch',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['rough.js'],
          body: '<svg width="400" height="200"></svg><p>sketched</p>',
          script: `
            const svg = document.querySelector('svg');
            svg.append(rough.svg(svg).rectangle(20, 20, 300, 150, { fill: 'teal', seed: 7 }));
            window.renderReady = Promise.resolve();`,
        }),
        'rough.js': file('roughjs/bundled/rough.js'),
      }),
      expect: { text: 'sketched', ink: 0.01 },
    },
    {
      name: 'raphael-shapes',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['raphael.js'],
          body: '<div id="paper"></div>',
          script: `
            const paper = Raphael('paper', 400, 200);
            paper.circle(100, 100, 80).attr({ fill: 'crimson' });
            paper.text(280, 100, 'by Raphael').attr({ 'font-size': 24 });`,
        }),
        'raphael.js': file('raphael/raphael.min.js'),
      }),
      expect: { text: 'by Raphael', ink: 0.02 },
    },
    {
      name: 'wavedrom-timing',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['skin.js', 'wavedrom.js'],
          body: '<script type="WaveDrom">{ signal: [{ name: "clock", wave: "p.....|..." }, { name: "data", wave: "x.345x|=.x", data: ["head", "body", "tail"] }] }</script>',
          script: 'WaveDrom.ProcessAll();',
        }),
        'skin.js': file('wavedrom/skins/default.js'),
        'wavedrom.js': file('wavedrom/wavedrom.min.js'),
      }),
      expect: { text: ['clock', 'head'] },
    },
    {
      name: 'abcjs-score',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['abcjs.js'],
          body: '<div id="score"></div>',
          script: withRenderReady(
            `ABCJS.renderAbc('score', 'X:1\\nT:' + data.title + '\\nK:D\\nDEFG|ABcd|\\n');`,
          ),
        }),
        'abcjs.js': file('abcjs/dist/abcjs-basic-min.js'),
      }),
      expect: { text: 'Yearly sales', ink: 0.001 },
    },
    {
      name: 'smiles-drawer-molecule',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['smiles-drawer.js'],
          body: '<svg id="molecule" width="400" height="300"></svg><p></p>',
          script: `
            window.renderReady = new Promise((resolve, reject) => SmilesDrawer.parse('CN1C=NC2=C1C(=O)N(C(=O)N2C)C', (tree) => {
              new SmilesDrawer.SvgDrawer({ width: 400, height: 300 }).draw(tree, 'molecule', 'light');
              document.querySelector('p').textContent = 'caffeine';
              resolve();
            }, reject));`,
        }),
        'smiles-drawer.js': file('smiles-drawer/dist/smiles-drawer.min.js'),
      }),
      expect: { text: 'caffeine', ink: 0.001 },
    },
    {
      name: 'sql-js-query',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['sql-wasm.js'],
          body: '<p></p>',
          script: withRenderReady(`
            const SQL = await initSqlJs();
            const db = new SQL.Database();
            db.run('CREATE TABLE sales (month TEXT, apples INTEGER)');
            for (const { month, apples } of data.rows) db.run('INSERT INTO sales VALUES (?, ?)', [month, apples]);
            const [{ values: [[sum]] }] = db.exec('SELECT sum(apples) FROM sales');
            document.querySelector('p').textContent = 'SQL says ' + sum;`),
        }),
        'sql-wasm.js': file('sql.js/dist/sql-wasm.js'),
        'sql-wasm.wasm': file('sql.js/dist/sql-wasm.wasm'),
      }),
      expect: { text: 'SQL says 822' },
    },
    {
      name: 'sql-js-in-worker',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          body: '<p>Asking</p>',
          script: `
            const worker = new Worker('worker.sql-wasm.js');
            worker.onmessage = () => {
              worker.onmessage = ({ data }) => { document.querySelector('p').textContent = 'SQL says ' + data.results[0].values[0][0]; };
              worker.postMessage({ id: 2, action: 'exec', sql: 'SELECT 6 * 7' });
            };
            worker.postMessage({ id: 1, action: 'open' });`,
        }),
        'worker.sql-wasm.js': file('sql.js/dist/worker.sql-wasm.js'),
        'sql-wasm.wasm': file('sql.js/dist/sql-wasm.wasm'),
      }),
      expect: { text: 'SQL says 42' },
    },
    {
      name: 'resvg-wasm-image',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['resvg.js'],
          body: '<img alt=""><p></p>',
          script: `
            resvg.initWasm(fetch('index_bg.wasm')).then(() => {
              const png = new resvg.Resvg('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="teal"/></svg>').render().asPng();
              document.querySelector('img').src = URL.createObjectURL(new Blob([png], { type: 'image/png' }));
              document.querySelector('p').textContent = 'Drawn in WebAssembly';
            });`,
        }),
        'resvg.js': file('@resvg/resvg-wasm/index.min.js'),
        'index_bg.wasm': file('@resvg/resvg-wasm/index_bg.wasm'),
      }),
      expect: { text: 'Drawn in WebAssembly', ink: 0.05 },
    },
    {
      name: 'yoga-layout-boxes',
      set: 'full',
      ready: 'renderReady',
      files: () =>
        app(
          'full',
          `
          import { loadYoga } from 'yoga-layout/load';
          window.renderReady = loadYoga().then((Yoga) => {
            const root = Yoga.Node.create();
            root.setWidth(600);
            root.setHeight(100);
            root.setFlexDirection(Yoga.FLEX_DIRECTION_ROW);
            for (let index = 0; index < 3; index++) {
              const child = Yoga.Node.create();
              child.setFlexGrow(index + 1);
              root.insertChild(child, index);
            }
            root.calculateLayout();
            document.getElementById('app').textContent = 'widths ' + [0, 1, 2].map((index) => root.getChild(index).getComputedWidth()).join(', ');
          });`,
        ),
      expect: { text: 'widths 100, 200, 300' },
    },
    {
      name: 'i18next-and-intl',
      set: 'full',
      ready: 'renderReady',
      print: { locale: 'de-CH', timezone: 'Europe/Zurich' },
      files: () =>
        app(
          'full',
          `
          import i18next from 'i18next';
          import IntlMessageFormat from 'intl-messageformat';
          window.renderReady = i18next.init({ lng: 'de', resources: { de: { translation: { hello: 'Guten Tag, {{name}}' } } } }).then((t) => {
            document.getElementById('app').innerHTML = '<p>' + t('hello', { name: 'Ada' }) + '</p><p>' +
              new IntlMessageFormat('{n, plural, one {# Apfel} other {# Äpfel}}', 'de').format({ n: 1234567 }) + '</p><p>' +
              new Date(0).toLocaleString() + ' ' + (1234567.5).toLocaleString() + ' ' + navigator.language + '</p>';
          });`,
        ),
      expect: { text: ['Guten Tag, Ada', 'Äpfel', 'de-CH'] },
    },
    {
      name: 'dates-of-three-libraries',
      set: 'full',
      ready: 'nothing',
      print: { timezone: 'Asia/Tokyo' },
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['dayjs.js', 'moment.js', 'luxon.js'],
          body: '<p id="a"></p><p id="b"></p><p id="c"></p>',
          script: withoutRenderReady(`
            const time = Date.UTC(2024, 1, 29, 20);
            document.getElementById('a').textContent = dayjs(time).format('[dayjs] YYYY-MM-DD HH:mm');
            document.getElementById('b').textContent = moment(time).format('[moment] YYYY-MM-DD HH:mm');
            document.getElementById('c').textContent = luxon.DateTime.fromMillis(time).toFormat("'luxon' yyyy-MM-dd HH:mm");`),
        }),
        'dayjs.js': file('dayjs/dayjs.min.js'),
        'moment.js': file('moment/min/moment.min.js'),
        'luxon.js': file('luxon/build/global/luxon.min.js'),
      }),
      expect: {
        text: ['dayjs 2024-03-01 05:00', 'moment 2024-03-01 05:00', 'luxon 2024-03-01 05:00'],
      },
    },
  ],
};
