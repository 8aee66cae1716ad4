import type { Aspect, CorpusDocument, Expectation } from './document.ts';
import type { PageImage, PdfContents } from './pdf-contents.ts';

/** A difference between the two PDFs. */
export interface Difference {
  readonly aspect: Aspect;
  readonly detail: string;
}

/** Most difference of a colour channel. MuPDF smooths an edge differently when it is moved by a fraction of a point. */
const channelTolerance = 48;
/** Most pixels by which content may be moved. */
const shiftTolerance = 1;
/** Most pixels by which the paper may differ. Playwright lets Chromium round A4 up to whole points, the service does not. */
const paperTolerance = 1;
/** Largest share of a page that may look different: 220 of the 222,000 pixels of an A4 page, about 8 mm by 8 mm. */
const differingShare = 0.001;

const detailLength = 60;

/** Lists the differences between the PDF of the service and the reference. */
export function compare(
  { name }: CorpusDocument,
  service: PdfContents,
  reference: PdfContents,
): Difference[] {
  const differences: Difference[] = [];
  const addDifference = (aspect: Aspect, detail: string): void =>
    void differences.push({ aspect, detail });
  if (service.pages.length !== reference.pages.length)
    addDifference('pages', `${service.pages.length} instead of ${reference.pages.length}`);
  const pages = Math.min(service.pages.length, reference.pages.length);
  for (let index = 0; index < pages; index++) {
    const [ours, theirs] = [service.pages[index], reference.pages[index]];
    if (!ours || !theirs) continue;
    const at = `page ${index + 1}`;
    if (ours.text !== theirs.text)
      addDifference('text', `${at} ${textDifference(ours.text, theirs.text)}`);
    const links = listDifference(
      withoutPackageLinks(ours.links, name),
      withoutPackageLinks(theirs.links, name),
    );
    if (links) addDifference('links', `${at} ${links}`);
    const share = ours.image && theirs.image ? differingPixels(ours.image, theirs.image) : 0;
    if (share > differingShare) addDifference('pixels', `${at} ${(share * 100).toFixed(1)} %`);
  }
  const outline = listDifference(service.outline, reference.outline);
  if (outline) addDifference('outline', outline);
  const fonts = listDifference(service.fonts, reference.fonts);
  if (fonts) addDifference('fonts', fonts);
  const tags = listDifference(countsOf(service.tags), countsOf(reference.tags));
  if (tags) addDifference('tags', tags);
  return differences;
}

/** Returns the first expected mark that the PDF does not have; undefined if it has all of them. */
export function findMissing(
  { text = [], ink, pages = 1 }: Expectation,
  pdf: PdfContents,
): string | undefined {
  if (pdf.pages.length < pages) return `${pdf.pages.length} pages instead of ${pages}`;
  const printedText = withoutSpaces(pdf.pages.map((page) => page.text).join(''));
  const missingText = [text].flat().find((one) => !printedText.includes(withoutSpaces(one)));
  if (missingText !== undefined) return `the text "${missingText}"`;
  const [first] = pdf.pages;
  const share = first?.image ? inkOf(first.image) : 0;
  if (ink !== undefined && share < ink)
    return `${ink * 100} % of ink on page 1: it has ${(share * 100).toFixed(2)} %`;
  return undefined;
}

/** Kerning and columns add spaces that the document does not contain. */
const withoutSpaces = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, '');

/**
 * Removes links into the package. They do not work in a PDF, so the service prints them as plain text (`linkBase`). Only links of
 * the reference have a port, so a link into the package in the PDF of the service is still found.
 */
const withoutPackageLinks = (links: readonly string[], name: string): string[] =>
  links.filter((link) => {
    const url = URL.parse(link);
    return url?.hostname !== `${name}.localhost` || url.port === '';
  });

function textDifference(ours: string, theirs: string): string {
  let start = 0;
  while (start < ours.length && ours[start] === theirs[start]) start++;
  const cut = (text: string): string => JSON.stringify(text.slice(start, start + detailLength));
  return `from character ${start}: ${cut(ours)} instead of ${cut(theirs)}`;
}

const countsOf = (tags: PdfContents['tags']): string[] =>
  Object.entries(tags).map(([type, count]) => `${count} ${type}`);

function listDifference(ours: readonly string[], theirs: readonly string[]): string | undefined {
  const [more, fewer] = [without(ours, theirs), without(theirs, ours)];
  if (more.length === 0 && fewer.length === 0) return undefined;
  return `has [${more.join(', ')}] instead of [${fewer.join(', ')}]`;
}

/** Returns the items of a list that another list does not have. Duplicates count. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return list.filter((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** Returns the share of the pixels that are not white. */
function inkOf({ pixels }: PageImage): number {
  let inked = 0;
  for (let at = 0; at < pixels.length; at += 3)
    if (Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) < 250) inked++;
  return (inked * 3) / pixels.length;
}

/** Returns the share of pixels for which the other image has no similar pixel at the same place or beside it. */
function differingPixels(one: PageImage, other: PageImage): number {
  const sizes = [one.width - other.width, one.height - other.height];
  if (sizes.some((difference) => Math.abs(difference) > paperTolerance)) return 1;
  const count = Math.max(countDifferingPixels(one, other), countDifferingPixels(other, one));
  return count / (one.width * one.height);
}

function countDifferingPixels(one: PageImage, other: PageImage): number {
  let count = 0;
  for (let y = 0; y < one.height; y++)
    for (let x = 0; x < one.width; x++) if (!hasSimilarPixel(one, other, x, y)) count++;
  return count;
}

function hasSimilarPixel(one: PageImage, other: PageImage, x: number, y: number): boolean {
  const at = (y * one.width + x) * 3;
  for (let dy = -shiftTolerance; dy <= shiftTolerance; dy++)
    for (let dx = -shiftTolerance; dx <= shiftTolerance; dx++) {
      // The edge of the smaller page is continued.
      const nearX = Math.min(Math.max(x + dx, 0), other.width - 1);
      const nearY = Math.min(Math.max(y + dy, 0), other.height - 1);
      if (areSimilar(one.pixels, at, other.pixels, (nearY * other.width + nearX) * 3)) return true;
    }
  return false;
}

function areSimilar(one: Uint8Array, at: number, other: Uint8Array, otherAt: number): boolean {
  for (let channel = 0; channel < 3; channel++) {
    const distance = (one[at + channel] ?? 0) - (other[otherAt + channel] ?? 0);
    if (Math.abs(distance) > channelTolerance) return false;
  }
  return true;
}
