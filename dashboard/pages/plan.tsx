import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { blankPlan } from '../../contracts/plans.ts';
import { admin } from '../admin.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { BillingEmail } from '../components/plan/billing-email.tsx';
import { PlanCard } from '../components/plan/plan-card.tsx';
import { RenameWorkspace } from '../components/workspaces/rename-workspace.tsx';
import { useWorkspace } from '../layout/workspace.tsx';

/** What the workspace may use, and what else there is. */
export default function PlanPage() {
  const { plan } = useWorkspace();
  const { data, error, refetch } = useQuery(admin.plans.list.queryOptions());
  return (
    <>
      <PageHeader
        title="Plan"
        description="A change counts at once; what was used in this bill period stays used."
      />
      <Stack gap="lg">
        {error && <ErrorNotice error={error} retry={refetch} />}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
          {data?.items.map((item) => <PlanCard key={item.id} plan={item} />) ??
            ['a', 'b', 'c'].map((key) => <Skeleton key={key} h={480} />)}
        </SimpleGrid>
        {plan !== blankPlan && <BillingEmail />}
        <RenameWorkspace />
      </Stack>
    </>
  );
}
