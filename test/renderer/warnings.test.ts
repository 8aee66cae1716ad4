import { expect } from 'chai';
import type { Renderer } from '../../renderer/renderer.ts';
import {
  type Job,
  type PrintedPdf,
  page,
  print,
  printExample,
  startRenderer,
} from './renderer-fixture.ts';

/** The warnings about the page, each with its code. */
const pageWarnings = ({ events }: PrintedPdf): string[] =>
  events.filter(({ stage }) => stage === 'page').map(({ code, message }) => `${code}: ${message}`);

const noMargin = '<style>body { margin: 0 }</style>';
const box = (widthPx: number): string =>
  page(`<div style="width: ${widthPx}px; height: 9px; background: red"></div>`, noMargin);
const longLine = 'word '.repeat(300);
const A4 = { pdf: { format: 'A4' } };
/** A code point that no font has or will have. */
const noCharacter = '\u{10FFFE}';

interface Case {
  readonly name: string;
  readonly document: string;
  readonly job?: Job;
  /** One pattern for each expected warning. No other warning is allowed. */
  readonly expected: readonly RegExp[];
}

/** Examples that must be printed without a warning. */
const quietExamples = ['certificate', 'invoice', 'labels', 'report', 'statement'] as const;

const glyphs: Case[] = [
  {
    name: 'name the characters that no font has, and count how often they are printed',
    document: page('<p>Hello \uE000 wörld \u0378\u0378</p>'),
    expected: [/^glyph_missing: No font has a glyph for 3 .* empty boxes: U\+E000, U\+0378\. /],
  },
  {
    name: 'include icons of generated content when the icon font is missing',
    document: page('<style>i::before { content: "\\f101" }</style><i></i>'),
    expected: [/^glyph_missing: .* 1 .*U\+F101/],
  },
  {
    name: 'count characters in a closed shadow root and in a header, but cannot name them',
    document: page(
      `<span></span><script>document.querySelector('span').attachShadow({ mode: 'closed' }).innerHTML = '${noCharacter}'</script>`,
    ),
    job: {
      pdf: {
        margin: { top: '2cm' },
        headerTemplate: `<b style="font-size: 9px">${noCharacter}</b>`,
      },
    },
    expected: [
      /^glyph_missing: .* 2 of the printed characters, so they are printed as empty boxes\./,
    ],
  },
  {
    name: 'name only the first few characters',
    document: page(
      `<p>${Array.from({ length: 500 }, (_, n) => String.fromCodePoint(0xf0000 + n)).join(' ')}</p>`,
    ),
    expected: [/^glyph_missing: .* 500 .*: (U\+F00\w\w, ){4}U\+F00\w\w\. /],
  },
  {
    name: 'ignore marks, ligatures, joiners, tabs, box characters and hidden text',
    document: page(
      `<p>e\u0301 Ελληνικά Русский العربية ﬁ office ▯ □ \u{1F600}\uFE0F a\u200Db \u00A0\u00AD</p><pre>a\tb</pre>
       <p hidden>\uE000</p><!-- \uE000 -->`,
    ),
    expected: [],
  },
];

const cuts: Case[] = [
  {
    name: 'name an element that is too wide, and by how much',
    document: box(1300),
    job: A4,
    expected: [/^content_cut: <div> .* 110 px wider than the 1189 px/],
  },
  {
    name: 'name an element whose line is too long',
    document: page(`<pre id="log" class="a b">${longLine}</pre>`),
    job: A4,
    expected: [/^content_cut: <pre#log\.a\.b> /],
  },
  {
    name: 'name a table, not its cells',
    document: page(`<table class="wide"><tr>${'<td>a_long_cell</td>'.repeat(40)}</tr></table>`),
    job: A4,
    expected: [/^content_cut: <table\.wide> /],
  },
  {
    name: 'consider the margins of the document, also with a footer',
    document: page(`<pre>${longLine}</pre>`, '<style>@page { size: A5; margin: 20mm }</style>'),
    job: { pdf: { footerTemplate: '<b style="font-size: 9px">Foot</b>' } },
    expected: [/^content_cut: <pre> /],
  },
  {
    name: 'consider the scale: content at twice its size is cut',
    document: box(700),
    job: { pdf: { format: 'A4', scale: 2 } },
    expected: [/^content_cut: <div> /],
  },
  {
    name: 'are not given for content that fits at half its size',
    document: box(1300),
    job: { pdf: { format: 'A4', scale: 0.5 } },
    expected: [],
  },
  {
    name: 'are not given for content that Chromium shrinks until it fits',
    document: box(1180),
    job: A4,
    expected: [],
  },
  {
    name: 'are not given for content that the document itself clips or hides',
    document: page(
      `<div style="overflow: hidden"><div style="position: relative; width: 1600px; height: 50px; background: red">
        <span style="position: absolute; left: 1500px">x</span></div></div>
       <div style="width: 3000px; height: 9px"></div><p style="position: absolute; left: -9999px">for readers</p>
       <p style="position: absolute; left: 3000px; visibility: hidden">hidden</p>`,
      noMargin,
    ),
    job: A4,
    expected: [],
  },
  {
    name: 'are not given for a picture that has the same scale as a page that is too wide',
    document: page(
      `<svg width="500" height="50" viewBox="0 0 750 75"><rect width="2000" height="75" /></svg>
       <div style="width: 780px; background: blue">x</div>`,
      noMargin,
    ),
    job: A4,
    expected: [],
  },
];

/** A page that tries to stall or break the search for lost content. */
const hostile = page(
  `<pre>${longLine}</pre>\uE000<script>
    addEventListener('load', () => setTimeout(() => addEventListener('resize', () => { for (;;); })));
    new ResizeObserver(() => { while (innerWidth < 1250); }).observe(document.body);
    Element.prototype.getBoundingClientRect = document.createElement = performance.now = () => { throw 1 };
  </script>`,
);
const manyNodes = page(
  `<pre>${longLine}</pre>\uE000<script>
    const all = document.createDocumentFragment();
    for (let n = 0; n < 5e4; n++) all.append(document.createElement('i'));
    document.body.append(all);
  </script>`,
);

describe('warnings about content that the PDF lost', function () {
  this.timeout(60_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer();
  });
  after(() => renderer[Symbol.asyncDispose]());

  for (const { name, document, job, expected } of [...glyphs, ...cuts])
    it(name, async () => {
      const found = pageWarnings(await print(renderer, document, job));
      expect(found, found.join('\n')).to.have.length(expected.length);
      for (const [index, pattern] of expected.entries()) expect(found[index]).to.match(pattern);
    });

  for (const name of quietExamples)
    it(`are not given for the example "${name}"`, async () => {
      expect(pageWarnings(await printExample(renderer, name))).to.deep.equal([]);
    });

  it('are given for a page that tries to stall or break the search', async () => {
    const found = pageWarnings(await print(renderer, hostile, A4));
    expect(found.map((warning) => warning.split(':')[0])).to.deep.equal([
      'glyph_missing',
      'content_cut',
    ]);
  });

  it('do not prevent the print of a page with very many nodes, even if the search does not end', async () => {
    const { pageCount, events } = await print(renderer, manyNodes, A4);
    expect(pageCount).to.be.greaterThan(0);
    expect(events.map(({ stage }) => stage)).to.include('print');
  });
});
