/** A queue is looked at while it moves; a call costs one query. */
export const queueRefreshMs = 5_000;
