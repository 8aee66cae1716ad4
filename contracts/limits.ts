import { dayMs, hourMs, KiB, MiB, minuteMs, secondMs } from './units.ts';

/** All limits for callers that do not depend on the plan. Some are defined by REST 8, the others by us. */

/** Largest single uploaded file on all plans (REST 8). */
export const maxSingleFileBytes = 10_485_760;
/** Largest render payload, in canonical or raw bytes. */
export const maxPayloadBytes = 10 * MiB;
/** Largest JSON body in bytes: a payload in base64 is a third larger than its bytes. */
export const maxJsonBodyBytes = 16 * MiB;
/** Real data is never nested this deep. Deeper JSON attacks recursive code. */
export const maxJsonDepth = 64;
/** Most values in one JSON body. More of them, in a few KB of gzip, would block a process for seconds. */
export const maxJsonValues = 500_000;

/** How long a call with the same Idempotency-Key returns the result of the first one (REST 8). */
export const idempotencyWindowMs = dayMs;
/** How long a call waits for the first one with the same Idempotency-Key before it answers 409. */
export const idempotencyWaitMs = 5 * secondMs;

/** Longest Idempotency-Key in characters. A UUID, a hash and a name fit. */
export const maxIdempotencyKeyLength = 255;

/** Items on a page of a list, unless the caller sets a limit (REST 8). */
export const defaultListLimit = 20;
/** Highest limit that a caller can set. A page of 100 is read in a few ms, also deep in a list. */
export const maxListLimit = 100;

/** Lifetime of a signed link, unless the caller sets one (REST 8). */
export const defaultLinkLifetimeSeconds = 600;
/** Seven days: the longest lifetime of a user-delegation SAS. */
export const maxLinkLifetimeSeconds = 604_800;

/**
 * Largest metadata of a version, and also its largest print options, in bytes of JSON. Both are in every list of versions. A header
 * with a logo fits.
 */
export const maxMetadataBytes = 64 * KiB;
/**
 * How long the request of a commit waits for the workflow before it answers 409 `commit_in_progress`. Most commits end within
 * this time. Clients and proxies give up on requests that take much longer.
 */
export const uploadCommitWaitMs = minuteMs;
/**
 * Retry-After if a commit outlasts `uploadCommitWaitMs`. It continues, and the same commit, sent again, waits for it again, so a
 * client need not hurry. Other calls that find a commit running get the usual Retry-After.
 */
export const uploadCommitRetryAfterSeconds = 5;
/** How long the same commit, sent again, returns the same version. */
export const uploadCommitReplayMs = dayMs;

/** How long a deploy that was made for one render is kept after its creation and after its last commit if no job renders it. */
export const temporaryDeployMs = hourMs;

/** Transient outputs are kept at least this long (`accessGuaranteedUntil`). */
export const transientOutputGuaranteeMs = hourMs;

/** Most webhook endpoints of a workspace. Each gets an event when a job ends, so this is also the most deliveries of a job. */
export const maxWebhookEndpoints = 10;
/** Lifetime of signed links in a webhook (REST 6). */
export const webhookLinkLifetimeSeconds = 600;
/** How long the old secret still signs after a rotation. */
export const webhookSecretOverlapMs = dayMs;
/** An endpoint is disabled when all its deliveries have failed for this long. */
export const webhookFailingMs = 5 * dayMs;
/** How long ended deliveries stay in the log. */
export const webhookLogMs = 30 * dayMs;

/** Most calls of the admin router in one request. A page of the dashboard makes a dozen. */
export const maxCallsPerRequest = 30;

/** Longest time to load a page. The time limit of the render may be shorter. */
export const maxLoadMs = 30 * secondMs;
