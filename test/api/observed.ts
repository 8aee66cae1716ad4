import type { HttpErrorCode, JobErrorCode } from '../../contracts/errors.ts';
import type { OperationId } from '../../contracts/rest/routes.ts';

/** What every operation was seen to answer in this process: `whole-contract.test.ts` holds it against what is promised. */

/** A success by its status, an error by its code. */
export type Observation = number | HttpErrorCode;

const observations = new Map<OperationId, Set<Observation>>();
const failedJobs = new Set<JobErrorCode>();

export function observe(operation: OperationId, observation: Observation): void {
  const seen = observations.get(operation) ?? new Set();
  observations.set(operation, seen.add(observation));
}

export const observeFailedJob = (code: JobErrorCode): unknown => failedJobs.add(code);

export const observedOf = (operation: OperationId): ReadonlySet<Observation> =>
  observations.get(operation) ?? new Set();

export const observedJobErrors: ReadonlySet<string> = failedJobs;
