import type { Aspect, CorpusDocument, Expectation } from './document.ts';
import type { PageImage, PdfContents } from './pdf-contents.ts';

/** Something in which the two PDFs differ. */
export interface Difference {
  readonly what: Aspect;
  readonly detail: string;
}

/** Allowed difference of a colour channel. MuPDF smooths an edge differently when it starts a fraction of a point elsewhere. */
const channelTolerance = 48;
/** Pixels by which something may be moved. */
const shiftTolerance = 1;
/** Pixels by which the paper size may differ. With Playwright Chromium rounds A4 up to whole points, with the service it does not. */
const paperTolerance = 1;
/** Share of a page's pixels that may differ: 220 of the 222,000 of an A4 page, about 8 mm by 8 mm. */
const differingShare = 0.001;

const detailLength = 60;

/** Lists what differs between the service's PDF and the reference. */
export function compare(
  { name }: CorpusDocument,
  service: PdfContents,
  reference: PdfContents,
): Difference[] {
  const differences: Difference[] = [];
  const differs = (what: Aspect, detail: string): void => void differences.push({ what, detail });
  if (service.pages.length !== reference.pages.length)
    differs('pages', `${service.pages.length} instead of ${reference.pages.length}`);
  const pages = Math.min(service.pages.length, reference.pages.length);
  for (let index = 0; index < pages; index++) {
    const [mine, theirs] = [service.pages[index], reference.pages[index]];
    if (!mine || !theirs) continue;
    const at = `page ${index + 1}`;
    if (mine.text !== theirs.text)
      differs('text', `${at} ${textDifference(mine.text, theirs.text)}`);
    const links = listDifference(withoutOwn(mine.links, name), withoutOwn(theirs.links, name));
    if (links) differs('links', `${at} ${links}`);
    const share = mine.image && theirs.image ? differingPixels(mine.image, theirs.image) : 0;
    if (share > differingShare) differs('pixels', `${at} ${(share * 100).toFixed(1)} %`);
  }
  const outline = listDifference(service.outline, reference.outline);
  if (outline) differs('outline', outline);
  const fonts = listDifference(service.fonts, reference.fonts);
  if (fonts) differs('fonts', fonts);
  const tags = listDifference(countsOf(service.tags), countsOf(reference.tags));
  if (tags) differs('tags', tags);
  return differences;
}

/** Describes what a document promises and its PDF lacks. Undefined if the PDF has everything. */
export function missing(
  { text = [], ink, pages = 1 }: Expectation,
  pdf: PdfContents,
): string | undefined {
  if (pdf.pages.length < pages) return `${pdf.pages.length} pages instead of ${pages}`;
  const all = withoutSpaces(pdf.pages.map((page) => page.text).join(''));
  const lost = [text].flat().find((one) => !all.includes(withoutSpaces(one)));
  if (lost !== undefined) return `the text "${lost}"`;
  const [first] = pdf.pages;
  const share = first?.image ? inkOf(first.image) : 0;
  if (ink !== undefined && share < ink)
    return `${ink * 100} % of ink on page 1: it has ${(share * 100).toFixed(2)} %`;
  return undefined;
}

/** Texts are compared without spaces, because kerning and columns cause spaces that the document does not have. */
const withoutSpaces = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, '');

/**
 * A link to a file of the package would lead nowhere, so the service prints it as plain text (`linkBase`). Only the reference's
 * links have a port. So if the service prints such a link nevertheless, the comparison finds it.
 */
const withoutOwn = (links: readonly string[], name: string): string[] =>
  links.filter((link) => {
    const url = URL.parse(link);
    return url?.hostname !== `${name}.localhost` || url.port === '';
  });

function textDifference(mine: string, theirs: string): string {
  let start = 0;
  while (start < mine.length && mine[start] === theirs[start]) start++;
  const cut = (text: string): string => JSON.stringify(text.slice(start, start + detailLength));
  return `from character ${start}: ${cut(mine)} instead of ${cut(theirs)}`;
}

const countsOf = (tags: PdfContents['tags']): string[] =>
  Object.entries(tags).map(([type, count]) => `${count} ${type}`);

function listDifference(mine: readonly string[], theirs: readonly string[]): string | undefined {
  const [more, fewer] = [without(mine, theirs), without(theirs, mine)];
  if (more.length === 0 && fewer.length === 0) return undefined;
  return `has [${more.join(', ')}] instead of [${fewer.join(', ')}]`;
}

/** The items of `list` that `other` has less often. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return list.filter((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** Share of the pixels that are not white. */
function inkOf({ pixels }: PageImage): number {
  let inked = 0;
  for (let at = 0; at < pixels.length; at += 3)
    if (Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) < 250) inked++;
  return (inked * 3) / pixels.length;
}

/** The larger share of pixels in one image that have no similar pixel in the other, at the same place or beside it. */
function differingPixels(one: PageImage, other: PageImage): number {
  const sizes = [one.width - other.width, one.height - other.height];
  if (sizes.some((difference) => Math.abs(difference) > paperTolerance)) return 1;
  const count = Math.max(countUnmatchedPixels(one, other), countUnmatchedPixels(other, one));
  return count / (one.width * one.height);
}

function countUnmatchedPixels(one: PageImage, other: PageImage): number {
  let count = 0;
  for (let y = 0; y < one.height; y++)
    for (let x = 0; x < one.width; x++) if (!hasSimilarPixel(one, other, x, y)) count++;
  return count;
}

function hasSimilarPixel(one: PageImage, other: PageImage, x: number, y: number): boolean {
  const at = (y * one.width + x) * 3;
  for (let dy = -shiftTolerance; dy <= shiftTolerance; dy++)
    for (let dx = -shiftTolerance; dx <= shiftTolerance; dx++) {
      // Outside the smaller page, its nearest edge pixel counts.
      const nearX = Math.min(Math.max(x + dx, 0), other.width - 1);
      const nearY = Math.min(Math.max(y + dy, 0), other.height - 1);
      if (isSimilar(one.pixels, at, other.pixels, (nearY * other.width + nearX) * 3)) return true;
    }
  return false;
}

function isSimilar(one: Uint8Array, at: number, other: Uint8Array, otherAt: number): boolean {
  for (let channel = 0; channel < 3; channel++) {
    const distance = (one[at + channel] ?? 0) - (other[otherAt + channel] ?? 0);
    if (Math.abs(distance) > channelTolerance) return false;
  }
  return true;
}
