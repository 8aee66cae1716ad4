import { inflateSync } from 'node:zlib';
import { MiB } from '../../contracts/units.ts';

/** What is drawn on the pages of a PDF of Chromium's, read while it streams by. */
export interface PdfContents {
  add(chunk: Buffer): void;
  /** Characters that were printed as the empty box of a font (`.notdef`), because no font has them. */
  readonly missingGlyphs: number;
  /** Areas that something was laid out in and clipped to: the printable area is one of them if anything reaches over it. */
  readonly areas: readonly PrintedArea[];
  /** Of the widest page. */
  readonly paperWidthPx: number;
  /** Numbers, from 1, of pages on which nothing is drawn but white. */
  readonly blankPages: readonly number[];
}

export interface PrintedArea {
  /** In CSS pixels of its layout. */
  readonly widthPx: number;
  /** Size on paper of one CSS pixel; 1 is 1/96 inch. */
  readonly scale: number;
}

/** A head is a line or two; the tail that is kept of a chunk holds a whole one. */
const maxHeadBytes = 2_048;
/** A page of dense text has 40 kB; more in one stream is a drawing. */
const maxStreamBytes = 4 * MiB;
/** About half a second of reading; what a document has beyond it is printed, but not read. */
const maxReadBytes = 64 * MiB;

/** How Chromium's PDF writer ends the head of a stream. Text cannot look like it: strings are escaped, so they hold no line break. */
const streamBegin = Buffer.from('>> stream\n');
const pageType = Buffer.from('/Type /Page\n');
const type3 = Buffer.from('<</Type /Font\n/Subtype /Type3');

const mediaBox = Buffer.from('/MediaBox [0 0 ');
/** A page begins with the size of a device unit in points. */
const deviceUnit = /^(\S+) 0 0 -/;
/** A clip, and a layout that begins in its corner. */
const clippedLayout = /q\n(\S+) (\S+) (\S+) \S+ re\nW\* n\nq\n(\S+) 0 0 \S+ \1 \2 cm\n/g;
/** A page has one; a document of many pictures has many. */
const maxAreas = 64;
/** A choice of font, whose name holds its object's number; text to be read aloud; glyphs to be drawn. */
const textOperators = /\/F(\d+) \S+ Tf|\/ActualText <[^>]*>|<([\dA-F]+)>/g;
const pointsPerPx = 0.75;
/** A page and the number of the object that is drawn on it. */
const pageContents = /(\d+) 0 obj\n<<\/Type \/Page\n(?:(?!endobj).)*?\/Contents (\d+) 0 R/gs;
/** Text, images, groups, gradients and lines. */
const drawing = / T[jJ]\n| Do\n| sh\n|\n[SsBb]\*?\n/;
const fills = /(?:^|\n)(?:\S+ \S+ \S+ RG )?(\S+ \S+ \S+) rg|\n(f\*?)(?=\n)/g;
const white = '1 1 1';

/**
 * The PDF is asked, not the document: only it tells what was printed of generated content, closed shadow roots, frames, headers
 * and footers, and at which scale. Reads streams by their length, so that nothing inside images and fonts is looked at.
 */
export function readContents(): PdfContents {
  let pending: Buffer = Buffer.alloc(0);
  let skipBytes = 0;
  let readBytes = 0;
  let paperWidthPx = 0;
  const areas = new Map<string, PrintedArea>();
  /** By font: glyphs 0 if its codes have one byte (Type 3, as of variable and colour fonts), and if they have two. */
  const zeros = new Map<string, { oneByte: number; twoBytes: number }>();
  const oneByteFonts = new Set<string>();
  /** Content by page, both by the numbers of their objects, in the order of the pages. */
  const pages = new Map<string, string>();
  const blankContents = new Set<string>();

  const readFonts = (objects: Buffer): void => {
    for (let at = objects.indexOf(type3); at !== -1; at = objects.indexOf(type3, at + 1)) {
      const number = /(\d+) 0 obj\n$/.exec(
        objects.toString('latin1', Math.max(0, at - 32), at),
      )?.[1];
      if (number) oneByteFonts.add(number);
    }
  };
  const readPaper = (objects: Buffer): void => {
    for (let at = objects.indexOf(mediaBox); at !== -1; at = objects.indexOf(mediaBox, at + 1)) {
      const begin = at + mediaBox.length;
      const points = Number.parseFloat(objects.toString('latin1', begin, begin + 16));
      paperWidthPx = Math.max(paperWidthPx, points / pointsPerPx);
    }
  };
  const readPages = (objects: Buffer): void => {
    if (!objects.includes(pageType)) return;
    for (const [, page = '', content = ''] of objects.toString('latin1').matchAll(pageContents))
      pages.set(page, content);
  };
  const readObjects = (objects: Buffer): void => {
    readFonts(objects);
    readPaper(objects);
    readPages(objects);
  };
  const readAreas = (text: string): void => {
    const pointsPerUnit = Number(deviceUnit.exec(text)?.[1]);
    if (!pointsPerUnit) return;
    for (const [, , , width, unitsPerPx] of text.matchAll(clippedLayout)) {
      const key = `${width} ${unitsPerPx}`;
      if (areas.size >= maxAreas || areas.has(key)) continue;
      const scale = (pointsPerUnit * Number(unitsPerPx)) / pointsPerPx;
      areas.set(key, { widthPx: Number(width) / Number(unitsPerPx), scale });
    }
  };
  const readStream = (number: string, compressed: Buffer): void => {
    const text = inflated(compressed);
    readBytes += text.length;
    if (text !== '' && isBlank(text)) blankContents.add(number);
    readAreas(text);
    let font: string | undefined;
    for (const [, chosen, glyphs] of text.matchAll(textOperators)) {
      font = chosen ?? font;
      if (font === undefined || !glyphs?.includes('00')) continue;
      const found = zeros.get(font) ?? { oneByte: 0, twoBytes: 0 };
      found.oneByte += countCodes(glyphs, '00');
      found.twoBytes += countCodes(glyphs, '0000');
      zeros.set(font, found);
    }
  };

  return {
    add(chunk) {
      if (skipBytes >= chunk.length) {
        skipBytes -= chunk.length;
        return;
      }
      let rest = Buffer.concat([pending, chunk.subarray(skipBytes)]);
      skipBytes = 0;
      for (let at = rest.indexOf(streamBegin); at !== -1; at = rest.indexOf(streamBegin)) {
        const begin = at + streamBegin.length;
        const head = rest.toString('latin1', Math.max(0, at - maxHeadBytes), at);
        const length = Number(/\/Length (\d+)$/.exec(head)?.[1] ?? 0);
        const wanted = isContent(head) && length <= maxStreamBytes && readBytes < maxReadBytes;
        if (wanted && begin + length > rest.length) break;
        readObjects(rest.subarray(0, at));
        const number = /(\d+) 0 obj\n(?:(?!endobj).)*$/s.exec(head)?.[1] ?? '';
        if (length === 0) blankContents.add(number);
        else if (wanted) readStream(number, rest.subarray(begin, begin + length));
        skipBytes = Math.max(0, begin + length - rest.length);
        rest = rest.subarray(begin + length);
      }
      if (rest.includes(streamBegin)) {
        pending = rest;
        return;
      }
      readObjects(rest);
      pending = Buffer.from(rest.subarray(Math.max(0, rest.length - maxHeadBytes)));
    },
    get missingGlyphs() {
      const counts = [...zeros].map(([font, { oneByte, twoBytes }]) =>
        oneByteFonts.has(font) ? oneByte : twoBytes,
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    get areas() {
      return [...areas.values()];
    },
    get paperWidthPx() {
      return paperWidthPx;
    },
    get blankPages() {
      return [...pages.values()].flatMap((content, at) =>
        blankContents.has(content) ? [at + 1] : [],
      );
    },
  };
}

/** Pages and groups, not images, fonts and metadata. */
function isContent(head: string): boolean {
  const dictionary = head.slice(head.lastIndexOf(' 0 obj\n'));
  return dictionary.includes('/FlateDecode') && !/\/(Length1|Image|Metadata)\b/.test(dictionary);
}

function inflated(compressed: Buffer): string {
  try {
    return inflateSync(compressed, { maxOutputLength: 4 * maxStreamBytes }).toString('latin1');
  } catch {
    // Larger than any page of text.
    return '';
  }
}

function isBlank(text: string): boolean {
  if (drawing.test(text)) return false;
  let colour: string | undefined;
  for (const [, chosen, fill] of text.matchAll(fills)) {
    colour = chosen ?? colour;
    if (fill && colour !== white) return false;
  }
  return true;
}

function countCodes(glyphs: string, code: string): number {
  let count = 0;
  for (let at = glyphs.indexOf(code); at !== -1; at = glyphs.indexOf(code, at + 1))
    if (at % code.length === 0) count += 1;
  return count;
}
