import { expect } from 'chai';
import {
  currentPrintGeneration,
  resolvePrintSettings,
} from '../../contracts/processes/print-settings.ts';
import { printOptionsSchema } from '../../contracts/rest/schemas/print-options.ts';

describe('print options', () => {
  it('print backgrounds, tags and the page size of the document by default', () => {
    expect(printOptionsSchema.parse({})).to.deep.equal({
      landscape: false,
      margin: {},
      scale: 1,
      printBackground: true,
      preferCSSPageSize: true,
      tagged: true,
      outline: false,
      fontHinting: 'none',
    });
  });

  it('get the defaults of the generation where they are not set', () => {
    const former = { media: 'print', pointer: 'none', quietMs: 0, genericFonts: 'chromium' };
    const current = {
      media: 'screen-then-print',
      pointer: 'mouse',
      quietMs: 450,
      maxWaitMs: 10_000,
      graceMs: 2_000,
      genericFonts: 'playwright',
    };
    expect(resolvePrintSettings({}, 1)).to.include(former);
    expect(resolvePrintSettings({}, currentPrintGeneration)).to.include(current);
    const explicit = { media: 'screen', quietMs: 10, maxWaitMs: 60_000, waitFor: 'idle' };
    for (const generation of [1, currentPrintGeneration])
      expect(resolvePrintSettings(explicit, generation)).to.include(explicit);
  });

  it('of a newer release get the defaults of this release', () => {
    const newer = resolvePrintSettings({}, currentPrintGeneration + 1);
    expect(newer).to.deep.equal(resolvePrintSettings({}, currentPrintGeneration));
  });

  const accepted: object[] = [
    { format: 'A4', landscape: true },
    { width: '210mm', height: '8.5in' },
    { margin: { top: '1cm' } },
    { scale: 0.1 },
    { scale: 2 },
    { printBackground: false, preferCSSPageSize: false, tagged: false, outline: true },
    { headerTemplate: '', footerTemplate: '<span class="pageNumber"></span>' },
    ...['1', '1-5', '1-5, 8, 11-', '-3', ' 2 - 4 '].map((pageRanges) => ({ pageRanges })),
    { media: 'screen', locale: 'de-CH', timezone: 'Europe/Berlin' },
    { linkBase: 'https://example.com/documents/' },
    { media: 'screen-then-print', pointer: 'none', fontHinting: 'full' },
    { waitFor: 'renderReady', quietMs: 0, maxWaitMs: 600_000 },
  ];
  for (const options of accepted)
    it(`may be ${JSON.stringify(options)}`, () => {
      expect(printOptionsSchema.parse(options)).to.deep.include(options);
    });

  const refused: [string, object][] = [
    ['an unknown key', { formats: 'A4' }],
    ['an unknown key in the margin', { margin: { inner: '1cm' } }],
    ['an unknown format', { format: 'B5' }],
    ['a format beside a width', { format: 'A4', width: '1in', height: '1in' }],
    ['a width without height', { width: '1in' }],
    ['a height without width', { height: '1in' }],
    ['a bare number', { width: 10, height: 10 }],
    ['a length without unit', { margin: { top: '10' } }],
    ['a negative length', { margin: { top: '-1cm' } }],
    ['a scale below 0.1', { scale: 0.09 }],
    ['a scale above 2', { scale: 2.01 }],
    ['a flag as text', { landscape: 'true' }],
    ['page ranges of words', { pageRanges: 'all' }],
    ['page ranges that end in a comma', { pageRanges: '1,' }],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }],
    ['an offset for a time zone, which Chromium refuses', { timezone: '+05:30' }],
    ['a locale that is none', { locale: 'not a locale' }],
    ['a link base of another scheme', { linkBase: 'javascript:alert(1)' }],
    ['an unknown medium', { media: 'braille' }],
  ];
  for (const [what, options] of refused)
    it(`may not have ${what}`, () => {
      expect(printOptionsSchema.safeParse(options).success).to.equal(false);
    });

  const texts = ['pageRanges', 'width', 'locale', 'timezone', 'linkBase', 'headerTemplate'];
  for (const key of texts)
    it(`reject a long ${key} quickly, with any content`, () => {
      const begun = performance.now();
      for (const text of [`1-${' '.repeat(200_000)}x`, '1'.repeat(200_000), '1,'.repeat(100_000)])
        expect(printOptionsSchema.safeParse({ [key]: text }).success).to.equal(false);
      expect(performance.now() - begun).to.be.lessThan(1_000);
    });
});
