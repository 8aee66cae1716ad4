import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { admin } from '../../admin.ts';
import { formatUsageDay } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { Panel } from '../panel.tsx';
import { UsageBars } from './usage-bars.tsx';

/** The bars against the plan, of the bill period that runs. */
export function UsagePanel({ actions }: { actions?: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(admin.usage.get.queryOptions({ workspaceId }));
  return (
    <Panel
      title="This bill period"
      description={
        data
          ? `${data.plan.name}, since ${formatUsageDay(data.period.usageDayStart)} (UTC)`
          : '\u00a0'
      }
      actions={actions}
    >
      {data ? (
        <UsageBars report={data} />
      ) : error ? (
        <ErrorNotice error={error} retry={refetch} />
      ) : (
        <Skeleton h={92} />
      )}
    </Panel>
  );
}
