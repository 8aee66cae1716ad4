/** Every limit of the REST contract that does not depend on the plan (REST 8 and the decisions in docs/decisions.md). */

const KiB = 1024;
const MiB = 1024 * KiB;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Largest single uploaded file on all plans. */
export const maxSingleFileBytes = 10_485_760;
/** Largest render payload, in canonical or raw bytes. */
export const maxPayloadBytes = 10 * MiB;
/** Largest JSON body: a payload in base64 is a third larger than its bytes. */
export const maxJsonBodyBytes = 16 * MiB;
/** Deeper JSON is an attack on recursive code, not a document's data. */
export const maxJsonDepth = 64;
/** Values in one JSON body: what has more keeps a process from everybody else for seconds, at a few KB of gzip. */
export const maxJsonValues = 500_000;

export const idempotencyWindowMs = 24 * hour;
/** How long a call waits for the first one with the same Idempotency-Key before it answers 409. */
export const idempotencyWaitMs = 5 * second;

/** Longest Idempotency-Key: a UUID, a hash or a name fits. */
export const maxIdempotencyKeyLength = 255;

export const defaultListLimit = 20;
export const maxListLimit = 100;

export const defaultLinkLifetimeSeconds = 600;
/** Seven days: what a user-delegation SAS can live at most. */
export const maxLinkLifetimeSeconds = 604_800;

/** Metadata of a version, as JSON: room for a header with a logo in it. It is in every list of versions. */
export const maxMetadataBytes = 64 * KiB;
/** How long a commit's request waits for its workflow before it answers 409 `commit_in_progress`. */
export const commitWaitMs = 60 * second;
export const commitRetryAfterSeconds = 5;
/** How long the same commit again gives the same version. */
export const commitReplayMs = day;

/** Transient outputs are kept at least this long (`accessGuaranteedUntil`). */
export const transientOutputGuaranteeMs = hour;

/** Each end of a job is told to every endpoint. */
export const maxWebhookEndpoints = 10;
/** Signed links in a webhook (REST 6). */
export const webhookLinkLifetimeSeconds = 600;
/** The secret before signs too for so long, after it was rotated. */
export const webhookSecretOverlapMs = day;
/** An endpoint that has failed for so long, and nothing else, is disabled. */
export const webhookFailingMs = 5 * day;
/** How long the log of ended deliveries is kept. */
export const webhookLogMs = 30 * day;

/** Longest load of a page; the render's own limit may be shorter. */
export const maxLoadMs = 30 * second;
