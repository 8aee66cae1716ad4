import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { type ErrorCode, errors, ServiceError } from '../contracts/errors.ts';
import { infrastructureFailure } from '../contracts/processes/workflows.ts';

/**
 * A failure that a workflow decides on: its type is a code of the catalogue and its message the catalogue's. What a document
 * or a client said stays out of it, because histories outlive payloads.
 */
export const codedFailure = (code: ErrorCode, details?: object): ApplicationFailure =>
  ApplicationFailure.nonRetryable(errors[code].message, code, ...(details ? [details] : []));

/** Trouble of ours, which passes: it is tried again and nobody is charged. */
export const toInfrastructureFailure = (error: unknown): ApplicationFailure =>
  ApplicationFailure.create({
    type: infrastructureFailure,
    message: 'PostgreSQL, the blob storage or this worker failed; the worker logs the cause.',
    ...(error instanceof Error && { details: [{ name: error.name }] }),
  });

/**
 * Gives activities that speak to the store their failures: a code where the store said one, which ends the activity; what
 * the activity itself decided, as it is; else trouble of ours, which Temporal tries again. The cause is logged here and kept out of the history.
 */
export function withCodedFailures<A extends Record<string, (input: never) => Promise<unknown>>>(
  log: Logger,
  activities: A,
): A {
  const guarded = Object.entries(activities).map(([name, activity]) => [
    name,
    async (input: never) => {
      try {
        return await activity(input);
      } catch (error) {
        if (error instanceof ApplicationFailure) throw error;
        if (error instanceof ServiceError) throw codedFailure(error.code);
        log.warn({ err: error, activity: name }, 'an activity failed; it is tried again');
        throw toInfrastructureFailure(error);
      }
    },
  ]);
  return Object.fromEntries(guarded) as A;
}
