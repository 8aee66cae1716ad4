import { app } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import { page, withRenderReady } from './page.ts';

const sentence =
  'Whoever prints by the million learns that an extraordinarily long word is not extraordinary, and that paper is patient. ';

const chapters = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `<h2 id="chapter-${index + 1}">Chapter ${index + 1}</h2><p>${sentence.repeat(12)}</p>`,
  ).join('');

const contents = (count: number): string =>
  `<ol>${Array.from({ length: count }, (_, index) => `<li><a href="#chapter-${index + 1}">Chapter ${index + 1}</a></li>`).join('')}</ol>`;

const dot = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><circle cx="150" cy="150" r="140" fill="${color}"/></svg>`;

/** Layout for paper: page breaks, columns, margins, headers, and very long documents. */
export const layout: DocumentKind = {
  kind: 'layout',
  documents: [
    {
      name: 'layout-links-and-outline',
      set: 'fast',
      ready: 'renderReady',
      print: {
        format: 'A4',
        outline: true,
        tagged: true,
        margin: { top: '20mm', bottom: '20mm', left: '20mm', right: '20mm' },
      },
      files: () => ({
        'index.html': page({
          title: 'A book',
          css: 'h2 { break-before: page }',
          body: `<h1>A book</h1>${contents(6)}<p><a href="https://example.org/a?b=1#c">outside</a> <a href="mailto:ada@example.org">mail</a> <a href="other.html">inside</a></p>${chapters(6)}`,
          script: 'window.renderReady = Promise.resolve();',
        }),
        'other.html': page({ body: 'other' }),
      }),
      expect: { text: ['Chapter 6', 'outside'], pages: 7 },
      knownDifferences: [
        {
          aspect: 'tags',
          reason: 'A link into the package is printed as plain text, as documented.',
        },
      ],
    },
    {
      name: 'layout-header-and-footer',
      set: 'fast',
      ready: 'nothing',
      print: {
        format: 'A4',
        margin: { top: '30mm', bottom: '30mm', left: '20mm', right: '20mm' },
        headerTemplate:
          '<div style="font-size:10px;width:100%;text-align:center" class="title"></div>',
        footerTemplate:
          '<div style="font-size:10px;width:100%;text-align:right;padding-right:20mm"><span class="pageNumber"></span> of <span class="totalPages"></span></div>',
      },
      files: () => ({ 'index.html': page({ title: 'With a header', body: chapters(10) }) }),
      expect: { text: ['With a header', 'Chapter 10', '1 of 4'], pages: 2 },
    },
    {
      name: 'layout-landscape-scaled-ranges',
      set: 'full',
      ready: 'renderReady',
      print: {
        format: 'A5',
        landscape: true,
        scale: 0.8,
        pageRanges: '2-3',
        printBackground: false,
      },
      files: () => ({
        'index.html': page({
          css: 'h2 { break-before: page; background: gold }',
          body: chapters(5),
          script: 'window.renderReady = Promise.resolve();',
        }),
      }),
      expect: { text: 'Chapter', pages: 2 },
    },
    {
      name: 'layout-size-by-css',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          css: '@page { size: 120mm 80mm; margin: 8mm } h1 { color: teal }',
          body: '<h1>A card</h1><p>of 120 by 80 mm</p>',
        }),
      }),
      expect: { text: ['A card', 'of 120 by 80 mm'] },
    },
    {
      name: 'layout-named-pages-and-margin-boxes',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          css: `
            @page { size: A5; margin: 20mm; @bottom-right { content: counter(page) " of " counter(pages); } }
            @page wide { size: A5 landscape; @top-left { content: "wide page"; } }
            section { page: wide; break-before: page }`,
          body: '<p>upright</p><section>lying</section><p>upright again</p>',
          script: 'window.renderReady = Promise.resolve();',
        }),
      }),
      expect: { text: ['upright', 'lying', 'wide page', '1 of 3'], pages: 3 },
    },
    {
      name: 'layout-500-pages',
      set: 'full',
      ready: 'renderReady',
      print: { format: 'A4', outline: true },
      files: () => ({
        'index.html': page({
          css: 'h2 { break-before: page }',
          body: '<main></main>',
          script: withRenderReady(`
            document.querySelector('main').innerHTML = Array.from({ length: 500 }, (_, index) =>
              '<h2>Page ' + (index + 1) + '</h2><p>' + ${JSON.stringify(sentence)}.repeat(10) + '</p>').join('');`),
        }),
      }),
      expect: { text: ['Page 1', 'Page 500'], pages: 500 },
    },
    {
      name: 'layout-10-mb-payload',
      set: 'full',
      ready: 'renderReady',
      payload: { filler: 'x'.repeat(10_000_000), last: 'the last field' },
      files: () => ({
        'index.html': page({
          body: '<p></p>',
          script: withRenderReady(
            `document.querySelector('p').textContent = data.filler.length + ' characters and ' + data.last;`,
          ),
        }),
      }),
      expect: { text: '10000000 characters and the last field' },
    },
    {
      name: 'layout-multi-column',
      set: 'full',
      ready: 'nothing',
      print: { format: 'A4' },
      files: () => ({
        'index.html': page({
          css: 'body { columns: 3; column-rule: 1px solid; text-align: justify; hyphens: auto }',
          body: chapters(6),
        }),
      }),
      expect: { text: 'Chapter 6' },
      knownDifferences: [
        {
          aspect: 'pixels',
          reason: 'With Playwright A4 is one point wider, so columns and words move.',
        },
      ],
    },
    {
      name: 'layout-css-counters',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          css: `
            body { counter-reset: part } h2 { counter-increment: part; counter-reset: step } h2::before { content: counter(part, upper-roman) ". " }
            p { counter-increment: step } p::before { content: counter(part) "." counter(step) " " } ::marker { color: red }`,
          body: '<h2>first</h2><p>one</p><p>two</p><h2>second</h2><p>three</p>',
          script: 'window.renderReady = Promise.resolve();',
        }),
      }),
      expect: { text: ['II. second', '1.2 two', '2.1 three'] },
    },
    {
      name: 'layout-repeated-table-head',
      set: 'full',
      ready: 'renderReady',
      print: { format: 'A5' },
      files: () => ({
        'index.html': page({
          css: 'tr { break-inside: avoid } td, th { border: 1px solid; padding: 4px }',
          body: '<table><thead><tr><th>Month<th>Apples</thead><tbody></tbody><tfoot><tr><td colspan="2">foot</tfoot></table>',
          script: withRenderReady(`
            document.querySelector('tbody').innerHTML = Array.from({ length: 10 }, () => data.rows).flat()
              .map(({ month, apples }) => '<tr><td>' + month + '<td>' + apples).join('');`),
        }),
      }),
      expect: { text: ['Month', 'December', 'foot'], pages: 3 },
    },
    {
      name: 'layout-container-queries',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          css: `
            aside { container-type: inline-size; width: 300px } main { container-type: inline-size; width: 600px }
            p::after { content: " narrow" } @container (min-width: 500px) { p::after { content: " wide" } }
            @supports (color: oklch(50% 0.2 30)) { p { color: oklch(50% 0.2 30) } }`,
          body: '<aside><p>aside</p></aside><main><p>main</p></main>',
        }),
      }),
      expect: { text: ['aside narrow', 'main wide'] },
    },
    {
      name: 'layout-print-media-query',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          css: '@media print { .screen { display: none } } @media screen { .paper { display: none } }',
          body: '<p class="screen">on screen</p><p class="paper">on paper</p>',
          script: 'window.renderReady = Promise.resolve();',
        }),
      }),
      expect: { text: 'on paper' },
    },
    {
      name: 'layout-screen-media',
      set: 'full',
      ready: 'renderReady',
      print: { media: 'screen' },
      files: () => ({
        'index.html': page({
          css: '@media print { .screen { display: none } } @media screen { .paper { display: none } }',
          body: '<p class="screen">on screen</p><p class="paper">on paper</p>',
          script: 'window.renderReady = Promise.resolve();',
        }),
      }),
      expect: { text: 'on screen' },
    },
    {
      name: 'layout-before-print-event',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<p>as loaded</p>',
          script: `
            addEventListener('beforeprint', () => { document.querySelector('p').textContent = 'told that it is printed'; });
            window.renderReady = Promise.resolve();`,
        }),
      }),
      expect: { text: 'told that it is printed' },
    },
    {
      name: 'layout-lazy-images',
      set: 'fast',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: ['crimson', 'teal', 'gold']
            .map(
              (color) =>
                `<h2>${color}</h2><img loading="lazy" src="${color}.svg" width="300" height="300" alt="${color}"><div style="height:2500px"></div>`,
            )
            .join(''),
        }),
        'crimson.svg': dot('crimson'),
        'teal.svg': dot('teal'),
        'gold.svg': dot('gold'),
      }),
      expect: { text: ['crimson', 'gold'], ink: 0.05 },
    },
    {
      name: 'layout-lazysizes',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          head: '<script async src="lazysizes.js"></script>',
          body: '<h1>lazy</h1><img class="lazyload" data-src="teal.svg" width="300" height="300" alt="">',
        }),
        'lazysizes.js': file('lazysizes/lazysizes.min.js'),
        'teal.svg': dot('teal'),
      }),
      expect: { text: 'lazy', ink: 0.05 },
    },
    {
      name: 'layout-lozad',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['lozad.js'],
          body: '<h1>lozad</h1><img class="lozad" data-src="gold.svg" width="300" height="300" alt="">',
          script: 'lozad().observe();',
        }),
        'lozad.js': file('lozad/dist/lozad.min.js'),
        'gold.svg': dot('gold'),
      }),
      expect: { text: 'lozad', ink: 0.05 },
    },
    {
      name: 'layout-picture-and-srcset',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<picture><source media="(min-width: 600px)" srcset="teal.svg"><img src="gold.svg" alt="dot" width="300" height="300"></picture><p>picture</p>',
        }),
        'teal.svg': dot('teal'),
        'gold.svg': dot('gold'),
      }),
      expect: { text: 'picture', ink: 0.05 },
    },
    {
      name: 'layout-broken-image',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<img src="not-there.png" alt="its description"><p>broken</p>',
        }),
      }),
      expect: { text: 'broken' },
    },
    {
      name: 'layout-paged-js',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          css: '@page { size: A5; margin: 15mm; @bottom-center { content: "folio " counter(page); } } h2 { break-before: page }',
          head: '<script src="paged.js"></script>',
          body: chapters(3),
        }),
        'paged.js': file('pagedjs/dist/paged.polyfill.min.js'),
      }),
      expect: { text: ['Chapter 3', 'folio 3'], pages: 3 },
    },
    {
      name: 'layout-paged-js-ready',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          css: '@page { size: A5; margin: 15mm; @bottom-center { content: "folio " counter(page); } } h2 { break-before: page }',
          head: `<script>
            window.renderReady = new Promise((resolve) => { window.PagedConfig = { after: resolve }; });
            </script><script src="paged.js"></script>`,
          body: chapters(3),
        }),
        'paged.js': file('pagedjs/dist/paged.polyfill.min.js'),
      }),
      expect: { text: ['Chapter 3', 'folio 3'], pages: 3 },
    },
    {
      name: 'layout-hyphenopoly',
      set: 'full',
      ready: 'renderReady',
      files: ({ file, folder }) => ({
        'index.html': page({
          css: '.hyphenate { width: 150px; hyphens: manual; font-size: 18px }',
          head: `<script src="hyphenopoly/Hyphenopoly_Loader.js"></script><script>
            window.renderReady = new Promise((resolve) => Hyphenopoly.config({
              require: { 'en-us': 'FORCEHYPHENOPOLY' },
              paths: { maindir: './hyphenopoly/', patterndir: './hyphenopoly/patterns/' },
              setup: { selectors: { '.hyphenate': {} } },
              handleEvent: { hyphenopolyEnd: resolve, error: () => resolve() },
            }));</script>`,
          body: '<p class="hyphenate" lang="en-us">Extraordinarily incomprehensible internationalization of hyphenation algorithms</p><p>ends</p>',
        }),
        'hyphenopoly/Hyphenopoly_Loader.js': file('hyphenopoly/Hyphenopoly_Loader.js'),
        'hyphenopoly/Hyphenopoly.js': file('hyphenopoly/Hyphenopoly.js'),
        ...folder('hyphenopoly/patterns', 'hyphenopoly/patterns', (path) => path === 'en-us.wasm'),
      }),
      expect: { text: 'ends' },
    },
    {
      name: 'layout-form-controls',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['flatpickr.css'],
          scripts: ['flatpickr.js'],
          body: `<form><label>Name <input value="Ada"></label> <select><option>one<option selected>two</select> <input type="checkbox" checked>
            <textarea>some text</textarea> <progress value="0.4"></progress> <meter value="0.7"></meter> <input id="date"></form><details open><summary>more</summary>opened</details>`,
          script: `flatpickr('#date', { defaultDate: '2024-02-29', inline: true });`,
        }),
        'flatpickr.css': file('flatpickr/dist/flatpickr.min.css'),
        'flatpickr.js': file('flatpickr/dist/flatpickr.min.js'),
      }),
      expect: { text: ['Ada', 'opened', '29'] },
    },
    {
      name: 'layout-splitting-text',
      set: 'full',
      ready: 'renderReady',
      files: () =>
        app(
          'full',
          `
          import Splitting from 'splitting';
          import 'splitting/dist/splitting.css';
          document.getElementById('app').innerHTML = '<h1 data-splitting>Split into letters</h1>';
          Splitting();
          window.renderReady = Promise.resolve();`,
        ),
      expect: { text: 'Split into letters' },
    },
  ],
};
