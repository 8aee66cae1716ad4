import type { CleanUpCounts } from '../contracts/processes/workflows.ts';
import { cleanUp } from '../store/clean-up.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** One run of the clean-up; its counts are the workflow's result, which operators see. */
export const createCleanUp =
  ({ store }: Pick<ActivityDependencies, 'store'>) =>
  (): Promise<CleanUpCounts> =>
    cleanUp(store, Date.now());
