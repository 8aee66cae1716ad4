import type { HttpErrorCode, JobErrorCode } from '../../contracts/errors.ts';
import type { OperationId } from '../../contracts/rest/routes.ts';

/** Records what each operation answered in this process. `whole-contract.test.ts` compares it with what the contract promises. */

/** The status of a success, or the code of an error. */
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
