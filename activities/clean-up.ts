import type { CleanUpCounts } from '../contracts/processes/workflows.ts';
import { cleanUp } from '../store/clean-up.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Runs the clean-up once. Its counts are the result of the workflow, so operators see them in the Temporal UI. */
export const createCleanUp =
  ({ store }: Pick<ActivityDependencies, 'store'>) =>
  (): Promise<CleanUpCounts> =>
    cleanUp(store, Date.now());
