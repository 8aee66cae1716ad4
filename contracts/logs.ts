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

/** Machine-readable kind of a log entry. Not every entry has one. In answers it is a plain string: v1 may get new codes. */
export type LogCode =
  // Events of the page.
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
  // The page was printed before it was ready.
  | 'request_unfinished'
  | 'never_idle'
  // Content is missing in the PDF.
  | 'glyph_missing'
  | 'content_cut'
  | 'link_dropped'
  | 'page_blank'
  // A part of the version's commit was not applied.
  | VersionWarningCode
  // Entries are missing in the log.
  | 'log_truncated'
  // The service delayed the job. The document is not the cause.
  | 'service_unavailable'
  // The attempt failed with this error.
  | JobErrorCode;

/** Kind of a warning in the answer to a commit and in the log of each job of that version. */
export type VersionWarningCode = 'metadata_pdf_ignored';

/** An event that the renderer reports while it renders a document. */
export interface RenderEvent {
  /** Unix ms. */
  readonly createdAt: number;
  readonly level: LogLevel;
  readonly stage: LogStage;
  readonly message: string;
  readonly code?: LogCode;
}

/** Most log entries that are kept of one attempt: a noisy page must not fill the database. */
export const maxLogEntriesPerAttempt = 200;
