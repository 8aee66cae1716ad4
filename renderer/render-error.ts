import type { JobErrorCode } from '../contracts/errors.ts';

/** How long each step of one print took, in milliseconds. A step that was not reached is absent. */
export interface RenderTimings {
  /** Waiting for a slot and a browser, including its launch. */
  readonly acquireMs?: number;
  /** From the end of `acquireMs` until the browser was released (source `browser_lifecycle`). */
  readonly browserMs?: number;
  /** Navigation until the `load` event. */
  readonly loadMs?: number;
  /** From `load` until the document was ready. */
  readonly readyMs?: number;
  /** Printing by Chromium. */
  readonly printMs?: number;
  /** From the first byte of the PDF until `store` resolved. */
  readonly storeMs?: number;
}

export interface RenderErrorOptions extends ErrorOptions {
  readonly timings?: RenderTimings;
}

/** The document or its browser failed. Customers read the message, so it says what to do. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: JobErrorCode;
  readonly timings: RenderTimings;

  constructor(code: JobErrorCode, message: string, options: RenderErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.timings = options.timings ?? {};
  }

  /** How long the job held a browser; 0 when it got none. */
  get browserMs(): number {
    return this.timings.browserMs ?? 0;
  }
}
