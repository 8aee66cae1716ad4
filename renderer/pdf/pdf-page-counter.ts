/** Counts the pages of a PDF from Chromium while it is streamed. */
export interface PageCounter {
  add(chunk: Buffer): void;
  readonly pages: number;
}

/**
 * Chromium's PDF writer begins each page object with this. Text of the document cannot look like it: strings are escaped, so they
 * contain no line break, and content streams are compressed.
 */
const pageObject = Buffer.from(' 0 obj\n<</Type /Page\n');

export function createPageCounter(): PageCounter {
  let tail = Buffer.alloc(0);
  let pages = 0;
  return {
    add(chunk) {
      const text = Buffer.concat([tail, chunk]);
      let at = text.indexOf(pageObject);
      for (; at !== -1; at = text.indexOf(pageObject, at + pageObject.length)) pages += 1;
      // The tail is shorter than the marker, so no page is counted twice.
      tail = Buffer.from(text.subarray(Math.max(0, text.length - pageObject.length + 1)));
    },
    get pages() {
      return pages;
    },
  };
}
