/** The browser or its page has ended, so commands to it get no answer. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone';
}
