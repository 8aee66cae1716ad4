import { inflateSync } from 'node:zlib';
import { MiB } from '../../contracts/units.ts';

/** Facts about the drawn content of a PDF from Chromium, read while it is streamed. */
export interface PdfContents {
  /** Reads the next part of the PDF. */
  add(chunk: Buffer): void;
  /** Number of characters that were printed as the empty box of a font (`.notdef`), because no font has them. */
  readonly missingGlyphs: number;
  /** Areas that content was clipped to. The printable area is one of them if content reaches over its edge. */
  readonly areas: readonly PrintedArea[];
  /** Width of the widest page. */
  readonly paperWidthPx: number;
  /** Numbers of the pages, from 1, on which nothing is drawn except white. */
  readonly blankPages: readonly number[];
}

export interface PrintedArea {
  /** Width in CSS pixels of the layout, before `scale`. */
  readonly widthPx: number;
  /** Size of one CSS pixel on paper; 1 is 1/96 inch. */
  readonly scale: number;
}

/**
 * Longest dictionary before a stream; most have a line or two. The last bytes of each chunk, this many, are searched again with
 * the next chunk.
 */
const maxHeadBytes = 2_048;
/** A page of dense text has 40 kB. A stream over this limit is a drawing, and is not read. */
const maxStreamBytes = 4 * MiB;
/** Reading this many (uncompressed) bytes takes about half a second. The rest of a larger document is printed, but not read. */
const maxReadBytes = 64 * MiB;

/** Chromium's PDF writer puts this before each stream. Text cannot look like it: strings are escaped, so they contain no line break. */
const streamBegin = Buffer.from('>> stream\n');
const pageType = Buffer.from('/Type /Page\n');
const type3 = Buffer.from('<</Type /Font\n/Subtype /Type3');

const mediaBox = Buffer.from('/MediaBox [0 0 ');
/** The content of a page begins with the size of a device unit in points. */
const deviceUnit = /^(\S+) 0 0 -/;
/** The start of a printed area: a clip rectangle, then the matrix that scales the layout and moves it to the rectangle's corner. */
const clippedArea = /q\n(\S+) (\S+) (\S+) \S+ re\nW\* n\nq\n(\S+) 0 0 \S+ \1 \2 cm\n/g;
/** Each page has one area. A document with many pictures has many. */
const maxAreas = 64;
/** Selects a font, whose name contains the number of its object; or sets text for screen readers; or draws glyphs. */
const textOperators = /\/F(\d+) \S+ Tf|\/ActualText <[^>]*>|<([\dA-F]+)>/g;
const pointsPerPx = 0.75;
/** The numbers of a page object and of its content object. A number is read whole: bytes that are searched again may begin within one. */
const pageContents = /(?<=\n)(\d+) 0 obj\n<<\/Type \/Page\n(?:(?!endobj).)*?\/Contents (\d+) 0 R/gs;
/** Operators that draw text, images, groups, gradients and lines. */
const drawing = / T[jJ]\n| Do\n| sh\n|\n[SsBb]\*?\n/;
const fills = /(?:^|\n)(?:\S+ \S+ \S+ RG )?(\S+ \S+ \S+) rg|\n(f\*?)(?=\n)/g;
const white = '1 1 1';

/**
 * Reads the PDF, not the document: only the PDF contains what was printed of generated content, closed shadow roots, frames,
 * headers and footers, and at which scale. It skips streams by their length, so that bytes of images and fonts are not searched.
 */
export function createContentsReader(): PdfContents {
  let pending: Buffer = Buffer.alloc(0);
  let skipBytes = 0;
  let readBytes = 0;
  let paperWidthPx = 0;
  const areas = new Map<string, PrintedArea>();
  /**
   * Number of glyphs with the code 0, by font. It is counted for both sizes of a code: if the codes of the font have one byte
   * (Type 3, for variable and colour fonts), and if they have two bytes.
   */
  const zeroGlyphs = new Map<string, { oneByte: number; twoBytes: number }>();
  const oneByteFonts = new Set<string>();
  /** Number of the content object by number of the page object, in the order of the pages. */
  const pages = new Map<string, string>();
  const blankContents = new Set<string>();

  const readFonts = (objects: Buffer): void => {
    for (let at = objects.indexOf(type3); at !== -1; at = objects.indexOf(type3, at + 1)) {
      const number = /\n(\d+) 0 obj\n$/.exec(
        objects.toString('latin1', Math.max(0, at - 32), at),
      )?.[1];
      if (number) oneByteFonts.add(number);
    }
  };
  const readPaper = (objects: Buffer): void => {
    for (let at = objects.indexOf(mediaBox); at !== -1; at = objects.indexOf(mediaBox, at + 1)) {
      const begin = at + mediaBox.length;
      // A width without the blank behind it continues in the next chunk, and is read then.
      const points = /^(\S+) /.exec(objects.toString('latin1', begin, begin + 16))?.[1];
      paperWidthPx = Math.max(paperWidthPx, Number(points ?? 0) / pointsPerPx);
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
    for (const [, , , width, unitsPerPx] of text.matchAll(clippedArea)) {
      const key = `${width} ${unitsPerPx}`;
      if (areas.size >= maxAreas || areas.has(key)) continue;
      const scale = (pointsPerUnit * Number(unitsPerPx)) / pointsPerPx;
      areas.set(key, { widthPx: Number(width) / Number(unitsPerPx), scale });
    }
  };
  const readStream = (number: string, compressed: Buffer): void => {
    const text = inflate(compressed);
    readBytes += text.length;
    if (text !== '' && isBlank(text)) blankContents.add(number);
    readAreas(text);
    let font: string | undefined;
    for (const [, selected, glyphs] of text.matchAll(textOperators)) {
      font = selected ?? font;
      if (font === undefined || !glyphs?.includes('00')) continue;
      const found = zeroGlyphs.get(font) ?? { oneByte: 0, twoBytes: 0 };
      found.oneByte += countCodes(glyphs, '00');
      found.twoBytes += countCodes(glyphs, '0000');
      zeroGlyphs.set(font, found);
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
        const isWanted = isContent(head) && length <= maxStreamBytes && readBytes < maxReadBytes;
        if (isWanted && begin + length > rest.length) break;
        readObjects(rest.subarray(0, at));
        const number = /(\d+) 0 obj\n(?:(?!endobj).)*$/s.exec(head)?.[1] ?? '';
        if (length === 0) blankContents.add(number);
        else if (isWanted) readStream(number, rest.subarray(begin, begin + length));
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
      const counts = [...zeroGlyphs].map(([font, { oneByte, twoBytes }]) =>
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

/** True for streams of pages and groups, false for images, fonts and metadata. */
function isContent(head: string): boolean {
  const dictionary = head.slice(head.lastIndexOf(' 0 obj\n'));
  return dictionary.includes('/FlateDecode') && !/\/(Length1|Image|Metadata)\b/.test(dictionary);
}

/** Returns an empty text for a stream that is too large or damaged. */
function inflate(compressed: Buffer): string {
  try {
    return inflateSync(compressed, { maxOutputLength: 4 * maxStreamBytes }).toString('latin1');
  } catch {
    return '';
  }
}

function isBlank(text: string): boolean {
  if (drawing.test(text)) return false;
  let colour: string | undefined;
  for (const [, selected, fill] of text.matchAll(fills)) {
    colour = selected ?? colour;
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
