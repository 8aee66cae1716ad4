import type { Aspect, CorpusDocument, Expectation } from './document.ts';
import type { PageImage, PdfContents } from './pdf-contents.ts';

/** Something that the two PDFs do not have in common. */
export interface Difference {
  readonly what: Aspect;
  readonly detail: string;
}

/** A channel may be off by as much: MuPDF smooths an edge differently when it begins a fraction of a point elsewhere. */
const channelTolerance = 48;
/** Pixels by which something may have moved. */
const shiftTolerance = 1;
/** Pixels by which the paper may differ: Playwright lets Chromium round A4 up to whole points, the service does not. */
const paperTolerance = 1;
/** Share of a page that may look different: 220 of the 222,000 pixels of an A4 page, about 8 mm by 8 mm. */
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

/** Names what a document promises and its PDF does not have; undefined: it has all. */
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

/** Kerning and columns make spaces where the document has none. */
const withoutSpaces = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, '');

/**
 * Links into the package lead nowhere from a PDF: the service prints them as plain text (`linkBase`). Only the reference's have a
 * port, so that a link of the service's own is found.
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

/** The items of a list that another does not have, as often as it lacks them. */
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

/** Share of the pixels of either image for which the other has none alike at the same place or beside it. */
function differingPixels(one: PageImage, other: PageImage): number {
  const sizes = [one.width - other.width, one.height - other.height];
  if (sizes.some((difference) => Math.abs(difference) > paperTolerance)) return 1;
  const count = Math.max(strangers(one, other), strangers(other, one));
  return count / (one.width * one.height);
}

function strangers(one: PageImage, other: PageImage): number {
  let count = 0;
  for (let y = 0; y < one.height; y++)
    for (let x = 0; x < one.width; x++) if (!alike(one, other, x, y)) count++;
  return count;
}

function alike(one: PageImage, other: PageImage, x: number, y: number): boolean {
  const at = (y * one.width + x) * 3;
  for (let dy = -shiftTolerance; dy <= shiftTolerance; dy++)
    for (let dx = -shiftTolerance; dx <= shiftTolerance; dx++) {
      // Beyond the edge of the smaller page is more of its edge.
      const nearX = Math.min(Math.max(x + dx, 0), other.width - 1);
      const nearY = Math.min(Math.max(y + dy, 0), other.height - 1);
      if (similar(one.pixels, at, other.pixels, (nearY * other.width + nearX) * 3)) return true;
    }
  return false;
}

function similar(one: Uint8Array, at: number, other: Uint8Array, otherAt: number): boolean {
  for (let channel = 0; channel < 3; channel++) {
    const distance = (one[at + channel] ?? 0) - (other[otherAt + channel] ?? 0);
    if (Math.abs(distance) > channelTolerance) return false;
  }
  return true;
}
