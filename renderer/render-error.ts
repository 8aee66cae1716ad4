import type { JobErrorCode } from '../contracts/errors.ts';

/** How long each step of one print took, in milliseconds. A step that was not reached is absent. */
export interface RenderTimings {
  /** Waiting for a slot and a browser, including its launch. */
  readonly acquireMs?: number;
  /** How long the job held the browser: from the end of `acquireMs` until the browser was released (source `browser_lifecycle`). */
  readonly browserMs?: number;
  /** From the end of `acquireMs` until the document had loaded, had defined `renderReady`, or its load was no longer waited for. */
  readonly loadMs?: number;
  /** From the end of `loadMs` until the document was ready to be printed. */
  readonly readyMs?: number;
  /** From the end of `readyMs` until Chromium had printed. */
  readonly printMs?: number;
  /** From the end of `printMs` until `store` resolved. */
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

  /** How many milliseconds the job held a browser; 0 when it got none. */
  get browserMs(): number {
    return this.timings.browserMs ?? 0;
  }
}
