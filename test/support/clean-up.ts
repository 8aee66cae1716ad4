import { Client, Connection } from '@temporalio/client';
import { cleanUpScheduleId } from '../../contracts/processes/workflows.ts';
import type { Service } from './service.ts';

/** Starts the clean-up now, as an operator does by the schedule's button. */
export async function triggerCleanUp({ env }: Pick<Service, 'env'>): Promise<void> {
  const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS ?? '' });
  try {
    const client = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE ?? '' });
    await client.schedule.getHandle(cleanUpScheduleId).trigger();
  } finally {
    await connection.close();
  }
}
