import { useQuery } from '@tanstack/react-query';
import { admin } from './admin.ts';

/** Plans do not change while the service runs. */
const staleTime = Number.POSITIVE_INFINITY;

/** Names a plan by its key; a key that the catalogue lacks, or does not have yet, by itself. */
export function usePlanName(): (plan: string) => string {
  const { data } = useQuery({ ...admin.plans.list.queryOptions(), staleTime });
  return (plan) => data?.items.find(({ id }) => id === plan)?.name ?? plan;
}
