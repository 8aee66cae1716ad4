import { ServiceError } from '../../contracts/errors.ts';
import { memberProcedure, router } from './procedures.ts';

/** Usage of a workspace against its plan (REST 4.5). */
export const usageRouter = router({
  get: memberProcedure.query((): never => {
    throw new ServiceError('not_implemented');
  }),
});
