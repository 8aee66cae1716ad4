import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { type ErrorCode, errors, ServiceError } from '../contracts/errors.ts';
import { infrastructureFailure } from '../contracts/processes/workflows.ts';

/**
 * Creates a failure with an error code as its type. Its message is the catalogue's and never that of a document or a client,
 * because histories outlive payloads. The workflow decides whether to retry.
 */
export const codedFailure = (code: ErrorCode, details?: object): ApplicationFailure =>
  ApplicationFailure.nonRetryable(errors[code].message, code, ...(details ? [details] : []));

/** Creates the failure of an outage on our side. It is retried, and nobody is charged. */
export const toInfrastructureFailure = (error: unknown): ApplicationFailure =>
  ApplicationFailure.create({
    type: infrastructureFailure,
    message:
      'PostgreSQL, the blob storage or this worker failed. The log of the worker has the cause.',
    ...(error instanceof Error && { details: [{ name: error.name }] }),
  });

/**
 * Wraps activities so that their errors become failures for the workflow. A ServiceError becomes a coded failure, which is not
 * retried. An ApplicationFailure stays as it is. Any other error is an outage on our side: it is logged here, its details stay
 * out of the history, and Temporal retries the activity.
 */
export function withCodedFailures<A extends Record<string, (input: never) => Promise<unknown>>>(
  log: Logger,
  activities: A,
): A {
  const wrapped = Object.entries(activities).map(([name, activity]) => [
    name,
    async (input: never) => {
      try {
        return await activity(input);
      } catch (error) {
        if (error instanceof ApplicationFailure) throw error;
        if (error instanceof ServiceError) throw codedFailure(error.code);
        log.warn({ err: error, activity: name }, 'an activity failed; Temporal tries it again');
        throw toInfrastructureFailure(error);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as A;
}
