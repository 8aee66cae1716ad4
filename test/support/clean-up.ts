import { cleanUpScheduleId } from '../../contracts/processes/workflows.ts';
import type { Service } from './service.ts';
import { connectTemporal } from './temporal-client.ts';

/** Starts a clean-up now, as an operator does with the schedule's button. */
export async function triggerCleanUp({ env }: Pick<Service, 'env'>): Promise<void> {
  await using temporal = await connectTemporal(env);
  await temporal.client.schedule.getHandle(cleanUpScheduleId).trigger();
}
