import type { JobErrorCode } from '../contracts/errors.ts';

/** Where the time of one print went, in milliseconds. A step that was not reached is absent. */
export interface RenderTimings {
  /** Waiting for a slot and a browser, launch included. */
  readonly acquireMs?: number;
  /** Browser held by this job (source `browser_lifecycle`). */
  readonly browserMs?: number;
  /** Navigation until the `load` event. */
  readonly loadMs?: number;
  /** From `load` until the document said that it is ready. */
  readonly readyMs?: number;
  /** Chromium's own printing. */
  readonly printMs?: number;
  /** From the first byte of the PDF until `store` resolved. */
  readonly storeMs?: number;
}

/** What is known of a job whose rendering failed. */
export interface RenderErrorOptions extends ErrorOptions {
  readonly timings?: RenderTimings;
}

/** The document or its browser failed. The message is shown to the customer: it says what to do. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: JobErrorCode;
  readonly timings: RenderTimings;

  constructor(code: JobErrorCode, message: string, options: RenderErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.timings = options.timings ?? {};
  }

  /** How long the browser was held; 0 when none was. */
  get browserMs(): number {
    return this.timings.browserMs ?? 0;
  }
}
