import type { HttpErrorCode, JobErrorCode } from '../../contracts/errors.ts';
import type { OperationId } from '../../contracts/rest/routes.ts';

/** Records what each operation answered in this process. `whole-contract.test.ts` compares it with what the contract promises. */

/** The status of a success, or the code of an error. */
export type StatusOrCode = number | HttpErrorCode;

const observations = new Map<OperationId, Set<StatusOrCode>>();
const failedJobs = new Set<JobErrorCode>();

export function observe(operation: OperationId, answer: StatusOrCode): void {
  const seen = observations.get(operation) ?? new Set();
  observations.set(operation, seen.add(answer));
}

export const observeFailedJob = (code: JobErrorCode): unknown => failedJobs.add(code);

export const observedOf = (operation: OperationId): ReadonlySet<StatusOrCode> =>
  observations.get(operation) ?? new Set();

export const observedJobErrors: ReadonlySet<string> = failedJobs;
