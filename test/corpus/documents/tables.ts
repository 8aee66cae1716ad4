import { app } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import { page, withoutRenderReady, withRenderReady } from './page.ts';

const expected = { text: ['January', 'December', 'apples'] };

/** Grids and tables that scripts build. */
export const tables: DocumentKind = {
  kind: 'tables',
  documents: [
    {
      name: 'tabulator-rows',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['tabulator.css'],
          scripts: ['tabulator.js'],
          body: '<div id="table"></div>',
          script: withRenderReady(`
            await new Promise((resolve) => new Tabulator('#table', {
              data: data.rows, layout: 'fitColumns', virtualDom: false,
              columns: [{ title: 'month', field: 'month' }, { title: 'apples', field: 'apples' }, { title: 'pears', field: 'pears' }],
              renderComplete: resolve,
            }));`),
        }),
        'tabulator.js': file('tabulator-tables/dist/js/tabulator.min.js'),
        'tabulator.css': file('tabulator-tables/dist/css/tabulator.min.css'),
      }),
      expect: expected,
    },
    {
      name: 'ag-grid-print-layout',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['ag-grid.js'],
          body: '<div id="grid" style="width:680px"></div>',
          script: withoutRenderReady(`
            agGrid.createGrid(document.getElementById('grid'), {
              domLayout: 'print', rowData: data.rows,
              columnDefs: [{ field: 'month', headerName: 'month' }, { field: 'apples', headerName: 'apples' }, { field: 'pears' }],
            });`),
        }),
        'ag-grid.js': file('ag-grid-community/dist/ag-grid-community.min.js'),
      }),
      expect: { text: ['January', 'December'] },
    },
    {
      name: 'datatables-sorted',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['datatables.css'],
          scripts: ['jquery.js', 'datatables.js'],
          body: '<table><thead><tr><th>month</th><th>apples</th></tr></thead></table>',
          script: `
            new DataTable('table', {
              paging: false, order: [[1, 'desc']],
              ajax: { url: '/__payload', dataSrc: 'rows' },
              columns: [{ data: 'month' }, { data: 'apples' }],
            });`,
        }),
        'jquery.js': file('jquery/dist/jquery.min.js'),
        'datatables.js': file('datatables.net/js/dataTables.min.js'),
        'datatables.css': file('datatables.net-dt/css/dataTables.dataTables.min.css'),
      }),
      expect: expected,
    },
    {
      name: 'gridjs-server',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['gridjs.css'],
          scripts: ['gridjs.js'],
          body: '<div id="table"></div>',
          script: `
            new gridjs.Grid({
              columns: ['month', 'apples', 'pears'], sort: true,
              server: { url: '/__payload', then: ({ rows }) => rows.map(({ month, apples, pears }) => [month, apples, pears]) },
            }).render(document.getElementById('table'));`,
        }),
        'gridjs.js': file('gridjs/dist/gridjs.umd.js'),
        'gridjs.css': file('gridjs/dist/theme/mermaid.min.css'),
      }),
      expect: expected,
    },
    {
      name: 'papaparse-csv',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['papaparse.js'],
          body: '<table></table>',
          script: `
            window.renderReady = new Promise((resolve) => Papa.parse('rows.csv', {
              download: true,
              complete: ({ data }) => {
                document.querySelector('table').innerHTML = data.map((row) => '<tr>' + row.map((cell) => '<td>' + cell).join('')).join('');
                resolve();
              },
            }));`,
        }),
        'rows.csv': 'month,apples\nJanuary,40\n"December, the last",87\n',
        'papaparse.js': file('papaparse/papaparse.min.js'),
      }),
      expect: { text: ['January', 'December, the last'] },
    },
    {
      name: 'bootstrap-striped',
      set: 'full',
      ready: 'renderReady',
      print: { format: 'A4', margin: { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' } },
      files: ({ file }) => ({
        'index.html': page({
          styles: ['bootstrap.css'],
          scripts: ['bootstrap.js'],
          body: '<div class="container"><h1></h1><table class="table table-striped"><thead><tr><th>month<th>apples</thead><tbody></tbody></table><button class="btn btn-primary">Print</button></div>',
          script: withRenderReady(`
            document.querySelector('h1').textContent = data.title;
            document.querySelector('tbody').innerHTML = data.rows.map(({ month, apples }) => '<tr><td>' + month + '<td>' + apples).join('');
            new bootstrap.Tooltip(document.querySelector('button'), { title: 'Printed' });`),
        }),
        'bootstrap.js': file('bootstrap/dist/js/bootstrap.bundle.min.js'),
        'bootstrap.css': file('bootstrap/dist/css/bootstrap.min.css'),
      }),
      expect: { text: ['Yearly sales', 'December', 'apples'] },
      knownDifferences: [
        { aspect: 'pixels', reason: 'With Playwright A4 is one point wider, and so is the table.' },
      ],
    },
    {
      name: 'tailwind-in-the-browser',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          head: '<script src="tailwind.js"></script>',
          body: '<main class="p-8"><h1 class="text-4xl font-bold text-teal-700"></h1><div class="grid grid-cols-3 gap-4"></div></main>',
          script: withoutRenderReady(`
            document.querySelector('h1').textContent = data.title;
            document.querySelector('.grid').innerHTML = data.rows.map(({ month }) => '<div class="rounded bg-teal-100 p-4">' + month + '</div>').join('');`),
        }),
        'tailwind.js': file('@tailwindcss/browser/dist/index.global.js'),
      }),
      expect: { text: ['Yearly sales', 'December'], ink: 0.1 },
    },
    {
      name: 'react-400-rows',
      set: 'full',
      ready: 'renderReady',
      files: () =>
        app(
          'full',
          `
          import { createRoot } from 'react-dom/client';
          import { createElement as h, useLayoutEffect } from 'react';
          window.renderReady = new Promise((resolve) => {
            function Table() {
              useLayoutEffect(resolve, []);
              return h('table', null, h('tbody', null, Array.from({ length: 400 }, (_, index) =>
                h('tr', { key: index }, h('td', null, 'row ' + (index + 1)), h('td', null, index * index)))));
            }
            createRoot(document.getElementById('app')).render(h(Table));
          });`,
        ),
      expect: { text: ['row 400', '159201'], pages: 7 },
    },
  ],
};
