import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { createContentsReader } from '../../renderer/pdf/pdf-contents.ts';

const pageCount = 12;
/** Numbers with several digits, so that a chunk can end within one. */
const firstPage = 2_000;
const emptyContent = 1_234;
const drawnContent = 1_235;

const stream = (number: number, content: string): string => {
  const bytes = deflateSync(content).toString('latin1');
  const head = `<</Filter /FlateDecode\n/Length ${bytes.length}>>`;
  return `${number} 0 obj\n${head} stream\n${bytes}\nendstream\nendobj\n`;
};
const page = (number: number, content: number): string =>
  `${number} 0 obj\n<</Type /Page\n/MediaBox [0 0 595 842]\n/Contents ${content} 0 R\n/Parent 9 0 R>>\nendobj\n`;

/** A PDF in the form that Chromium writes. Its last page is blank. */
const pdf = Buffer.from(
  [
    '%PDF-1.4\n',
    stream(emptyContent, '.24 0 0 -.24 0 842 cm\n'),
    stream(drawnContent, '.24 0 0 -.24 0 842 cm\nBT /F4 12 Tf <0041> Tj\nET\n'),
    ...Array.from({ length: pageCount }, (_, index) =>
      page(firstPage + index, index === pageCount - 1 ? emptyContent : drawnContent),
    ),
  ].join(''),
  'latin1',
);

describe('the contents of a PDF', () => {
  it('are the same wherever the chunks of its stream end', () => {
    for (let cut = 0; cut <= pdf.length; cut++) {
      const contents = createContentsReader();
      contents.add(pdf.subarray(0, cut));
      contents.add(pdf.subarray(cut));
      expect(contents.blankPages, `blank pages, cut at ${cut}`).to.deep.equal([pageCount]);
      expect(contents.paperWidthPx, `paper, cut at ${cut}`).to.be.closeTo(793.33, 0.01);
    }
  });
});
