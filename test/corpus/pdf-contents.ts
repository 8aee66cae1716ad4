import { packagesOf } from './packages.ts';

/** The parts of a PDF that are compared. */
export interface PdfContents {
  readonly pages: readonly PdfPage[];
  /** Titles, indented by depth, with their page. */
  readonly outline: readonly string[];
  /** Names of the fonts, sorted, each once, without the prefix of subsets. Variable and colour fonts (Type 3) have no name in a PDF, so they are missing. */
  readonly fonts: readonly string[];
  /** Number of elements in the structure tree by type; empty if there is no tree. */
  readonly tags: Readonly<Record<string, number>>;
}

export interface PdfPage {
  /** Each run of white space is a single space. */
  readonly text: string;
  /** Addresses, and `page <n>` for links within the document. */
  readonly links: readonly string[];
  /** Undefined for pages beyond the first {@link drawnPages}. */
  readonly image: PageImage | undefined;
}

export interface PageImage {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly pixels: Uint8Array;
}

/** Enough to see content that has moved or is missing. A higher resolution finds only differences in how edges are smoothed. */
const drawnDotsPerInch = 48;
/** Later pages are compared only by their text and links, because a document may have 500 pages. */
const drawnPages = 12;

const pointsPerInch = 72;

type MuPdf = {
  readonly Document: { openDocument(bytes: Uint8Array, type: string): MuDocument };
  readonly Matrix: { scale(x: number, y: number): unknown };
  readonly ColorSpace: { readonly DeviceRGB: unknown };
};
type MuDocument = {
  countPages(): number;
  loadPage(index: number): MuPage;
  loadOutline(): readonly MuOutlineItem[] | null;
  resolveLink(uri: string): number;
  destroy(): void;
};
type MuOutlineItem = {
  readonly title?: string;
  readonly page?: number;
  readonly down?: readonly MuOutlineItem[];
};
type MuPage = {
  toStructuredText(options: string): { asText(): string; destroy(): void };
  getLinks(): readonly { getURI(): string; isExternal(): boolean }[];
  toPixmap(matrix: unknown, colors: unknown, alpha: boolean): MuPixmap;
  destroy(): void;
};
type MuPixmap = {
  getWidth(): number;
  getHeight(): number;
  getPixels(): Uint8ClampedArray;
  destroy(): void;
};

/** Reads a PDF with MuPDF, which is a package of the set `fast`. */
export async function readPdf(bytes: Uint8Array): Promise<PdfContents> {
  const mupdf: MuPdf = await packagesOf('fast').import('mupdf/dist/mupdf.js');
  const document = mupdf.Document.openDocument(bytes, 'application/pdf');
  try {
    const count = document.countPages();
    const raw = Buffer.from(bytes).toString('latin1');
    return {
      pages: Array.from({ length: count }, (_, index) => readPage(mupdf, document, index)),
      outline: outlineOf(document.loadOutline() ?? [], 0),
      fonts: fontsOf(raw),
      tags: tagsOf(raw),
    };
  } finally {
    document.destroy();
  }
}

function readPage(mupdf: MuPdf, document: MuDocument, index: number): PdfPage {
  const page = document.loadPage(index);
  try {
    const text = page.toStructuredText('');
    const content = text.asText().replaceAll(/\s+/g, ' ').trim();
    text.destroy();
    return {
      text: content,
      links: page
        .getLinks()
        .map((link) =>
          link.isExternal() ? link.getURI() : `page ${document.resolveLink(link.getURI()) + 1}`,
        ),
      image: index < drawnPages ? drawPage(mupdf, page) : undefined,
    };
  } finally {
    page.destroy();
  }
}

function drawPage(mupdf: MuPdf, page: MuPage): PageImage {
  const scale = drawnDotsPerInch / pointsPerInch;
  const drawn = page.toPixmap(mupdf.Matrix.scale(scale, scale), mupdf.ColorSpace.DeviceRGB, false);
  const image = {
    width: drawn.getWidth(),
    height: drawn.getHeight(),
    // Copied, because the original is in the memory of MuPDF.
    pixels: Uint8Array.from(drawn.getPixels()),
  };
  drawn.destroy();
  return image;
}

const outlineOf = (items: readonly MuOutlineItem[], depth: number): string[] =>
  items.flatMap(({ title = '', page = -1, down = [] }) => [
    `${'  '.repeat(depth)}${title} (page ${page + 1})`,
    ...outlineOf(down ?? [], depth + 1),
  ]);

/** Chromium writes its objects uncompressed, so they can be found in the bytes of the PDF. */
function fontsOf(raw: string): string[] {
  const names = [...raw.matchAll(/\/BaseFont\s*\/([^\s/<>[\]()]+)/g)].map(([, name = '']) =>
    name.replace(/^[A-Z]{6}\+/, ''),
  );
  return [...new Set(names)].sort();
}

function tagsOf(raw: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, type = ''] of raw.matchAll(/\/Type\s*\/StructElem[^>]*?\/S\s*\/(\w+)/g))
    counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
