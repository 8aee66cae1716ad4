import type { HttpErrorCode, JobErrorCode } from '../../contracts/errors.ts';
import type { OperationId } from '../../contracts/rest/routes.ts';

/** Records what operations answered in the suites of this folder. `whole-contract.test.ts` compares that with the contract. */

/** The status of a success, or the code of an error. */
export type StatusOrCode = number | HttpErrorCode;

const recordedAnswers = new Map<OperationId, Set<StatusOrCode>>();
const failedJobs = new Set<JobErrorCode>();

export function recordAnswer(operation: OperationId, answer: StatusOrCode): void {
  const seen = recordedAnswers.get(operation) ?? new Set();
  recordedAnswers.set(operation, seen.add(answer));
}

export const recordJobError = (code: JobErrorCode): unknown => failedJobs.add(code);

export const recordedAnswersOf = (operation: OperationId): ReadonlySet<StatusOrCode> =>
  recordedAnswers.get(operation) ?? new Set();

export const recordedJobErrors: ReadonlySet<string> = failedJobs;
