import { bundle } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import { page, withRenderReady } from './page.ts';

/** Machine-readable codes. A missing bar makes a wrong label. */
export const barcodes: DocumentKind = {
  kind: 'barcodes',
  documents: [
    {
      name: 'jsbarcode-svg',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['jsbarcode.js'],
          body: '<h1></h1><svg id="a"></svg><svg id="b"></svg>',
          script: withRenderReady(`
            document.querySelector('h1').textContent = data.customer;
            JsBarcode('#a', 'CORPUS-128', { format: 'CODE128' });
            JsBarcode('#b', '5901234123457', { format: 'EAN13' });`),
        }),
        'jsbarcode.js': file('jsbarcode/dist/JsBarcode.all.min.js'),
      }),
      expect: { text: ['Ada Lovelace', 'CORPUS-128'], ink: 0.01 },
    },
    {
      name: 'qrcode-generator-table',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['qrcode.js'],
          body: '<div id="code"></div><p></p>',
          script: `
            fetch('/__payload').then((answer) => answer.json()).then(({ customer }) => {
              const code = qrcode(0, 'M');
              code.addData('https://example.org/' + customer);
              code.make();
              document.getElementById('code').innerHTML = code.createSvgTag(6);
              document.querySelector('p').textContent = 'For ' + customer;
            });`,
        }),
        'qrcode.js': file('qrcode-generator/dist/qrcode.js'),
      }),
      expect: { text: 'For Ada Lovelace', ink: 0.01 },
    },
    {
      name: 'bwip-js-datamatrix',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['bwip-js.js'],
          body: '<canvas></canvas><p></p>',
          script: withRenderReady(`
            bwipjs.toCanvas(document.querySelector('canvas'), { bcid: 'datamatrix', text: 'corpus ' + data.customer, scale: 8 });
            document.querySelector('p').textContent = data.customer;`),
        }),
        'bwip-js.js': file('bwip-js/dist/bwip-js-min.js'),
      }),
      expect: { text: 'Ada Lovelace', ink: 0.005 },
    },
    {
      name: 'qr-code-styling-canvas',
      set: 'full',
      ready: 'nothing',
      files: async () => ({
        'index.html': page({
          body: '<div id="code"></div><p></p>',
          head: '<script type="module" src="app.js"></script>',
        }),
        ...(await bundle(
          'full',
          `
          import QRCodeStyling from 'qr-code-styling';
          const { customer } = await (await fetch('/__payload')).json();
          new QRCodeStyling({
            width: 300, height: 300, type: 'svg', data: 'https://example.org/' + customer,
            dotsOptions: { color: 'navy', type: 'rounded' },
          }).append(document.getElementById('code'));
          document.querySelector('p').textContent = customer;`,
        )),
      }),
      expect: { text: 'Ada Lovelace', ink: 0.02 },
    },
  ],
};
