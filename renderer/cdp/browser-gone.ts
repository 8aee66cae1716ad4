/** The browser or its page ended while it was still needed. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone';
}
