import { z } from 'zod';
import type { JobErrorCode } from './errors.ts';

/** Levels and stages of a job's log (REST 2.10). */
export const logLevelSchema = z.enum(['debug', 'info', 'warn', 'error']);
export const logStageSchema = z.enum([
  'admission',
  'claim',
  'load',
  'page',
  'ready',
  'print',
  'store',
  'settle',
  'retry',
  'cancel',
  'webhook',
]);

export type LogLevel = z.infer<typeof logLevelSchema>;
export type LogStage = z.infer<typeof logStageSchema>;

/** Machine-readable kind of an entry that has one. In answers it is open: clients meet new ones within v1. */
export type LogCode =
  // What the page did.
  | 'console_error'
  | 'console_warn'
  | 'page_error'
  | 'dialog_closed'
  | 'request_failed'
  | 'egress_denied'
  | 'popup_blocked'
  | 'content_blocked'
  | 'stylesheet_ignored'
  | 'font_broken'
  | 'image_broken'
  | 'browser_warning'
  | 'payload_unavailable'
  // It was printed before it was done.
  | 'request_unfinished'
  | 'never_idle'
  // What the PDF lost.
  | 'glyph_missing'
  | 'content_cut'
  | 'link_dropped'
  | 'page_blank'
  // What of the version's commit was not applied.
  | VersionWarningCode
  // What the log itself lost.
  | 'log_truncated'
  // What held the job up, and was no fault of its document.
  | 'service_unavailable'
  // Why an attempt failed.
  | JobErrorCode;

/** Kind of a warning that a commit's answer carries, and the log of each job of its version. */
export type VersionWarningCode = 'metadata_pdf_ignored';

/** One thing that happened while a document was rendered, as the renderer reports it. */
export interface RenderEvent {
  /** Unix ms. */
  readonly createdAt: number;
  readonly level: LogLevel;
  readonly stage: LogStage;
  readonly message: string;
  readonly code?: LogCode;
}

/** At most this many entries are kept of one attempt, so that a noisy page cannot fill the store. */
export const maxLogEntriesPerAttempt = 200;
