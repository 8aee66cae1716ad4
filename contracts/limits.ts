import { dayMs, hourMs, KiB, MiB, minuteMs, secondMs } from './units.ts';

/** Every limit that callers meet and that does not depend on the plan: those that REST 8 gives, and ours where it gives none. */

/** Largest single uploaded file on all plans (REST 8). */
export const maxSingleFileBytes = 10_485_760;
/** Largest render payload, in canonical or raw bytes. */
export const maxPayloadBytes = 10 * MiB;
/** Largest JSON body: a payload in base64 is a third larger than its bytes. */
export const maxJsonBodyBytes = 16 * MiB;
/** Deeper JSON is an attack on recursive code, not a document's data. */
export const maxJsonDepth = 64;
/** Values in one JSON body: what has more keeps a process from everybody else for seconds, at a few KB of gzip. */
export const maxJsonValues = 500_000;

/** How long a call with the same Idempotency-Key gives the first one's result (REST 8). */
export const idempotencyWindowMs = dayMs;
/** How long a call waits for the first one with the same Idempotency-Key before it answers 409. */
export const idempotencyWaitMs = 5 * secondMs;

/** Longest Idempotency-Key: a UUID, a hash or a name fits. */
export const maxIdempotencyKeyLength = 255;

/** Items of a page of a list unless the caller says (REST 8). */
export const defaultListLimit = 20;
/** The most that it may say: a page of 100 is read in a few ms, also deep in a list. */
export const maxListLimit = 100;

/** REST 8. */
export const defaultLinkLifetimeSeconds = 600;
/** Seven days: what a user-delegation SAS can live at most. */
export const maxLinkLifetimeSeconds = 604_800;

/** Metadata, and print options, of a version, as JSON: room for a header with a logo in it. Both are in every list of versions. */
export const maxMetadataBytes = 64 * KiB;
/**
 * How long a commit's request waits for its workflow before it answers 409 `commit_in_progress`: most commits end within it, and
 * clients and proxies give up on requests that take much longer.
 */
export const commitWaitMs = minuteMs;
/** Its Retry-After. The commit runs on meanwhile and the next call waits for it again, so nobody need be quick. */
export const commitRetryAfterSeconds = 5;
/** How long the same commit, sent again, gives the same version. */
export const commitReplayMs = dayMs;

/** How long a deploy that was made for one render waits for it after its last commit. */
export const temporaryDeployMs = hourMs;

/** Transient outputs are kept at least this long (`accessGuaranteedUntil`). */
export const transientOutputGuaranteeMs = hourMs;

/** Of one workspace. Each end of a job is told to every one of them, so this is also the most deliveries of a job. */
export const maxWebhookEndpoints = 10;
/** Signed links in a webhook (REST 6). */
export const webhookLinkLifetimeSeconds = 600;
/** How long the former secret still signs after a rotation. */
export const webhookSecretOverlapMs = dayMs;
/** An endpoint that has only failed for this long is disabled. */
export const webhookFailingMs = 5 * dayMs;
/** How long the log of ended deliveries is kept. */
export const webhookLogMs = 30 * dayMs;

/** Calls of the admin router in one request: a page of the dashboard makes a dozen. */
export const maxCallsPerRequest = 30;

/** Longest load of a page; the render's own limit may be shorter. */
export const maxLoadMs = 30 * secondMs;
