import type { RenderEvent } from '../contracts/logs.ts';
import type { PrintSettings } from '../contracts/processes/print-settings.ts';
import type { PdfFacts } from './pdf/pdf-stream.ts';
import type { DocumentFiles } from './proxy/proxy-job.ts';
import type { RenderTimings } from './render-error.ts';

export interface PrintRequest {
  /** Names the document's origin, `http://<jobId>.localhost/`. */
  readonly jobId: string;
  /** A browser prints documents of one workspace only. */
  readonly workspaceId: string;
  readonly document:
    | { readonly type: 'package'; readonly route: string; readonly files: DocumentFiles }
    | { readonly type: 'url'; readonly targetUrl: string };
  readonly payload: { readonly mime: string; readonly bytes: Uint8Array };
  readonly pdf: PrintSettings;
  readonly limits: {
    readonly renderTimeoutMs: number;
    readonly loadTimeoutMs: number;
    readonly maxOutputBytes: number;
  };
  readonly allowExternalNetwork: boolean;
  /** Cancels the print: its browser, if it has one, is killed at once, and `print` rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called with each entry of the job's log. */
  onEvent(event: RenderEvent): void;
}

export interface PrintResult<T> extends PdfFacts {
  /** The result of `store`. */
  readonly stored: T;
  /** How many milliseconds the job held a browser. */
  readonly browserMs: number;
  readonly timings: RenderTimings;
}
