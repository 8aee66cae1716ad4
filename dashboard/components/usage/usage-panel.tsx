import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { admin } from '../../admin.ts';
import { formatUsageDay } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { Panel } from '../panel.tsx';
import { UsageBars } from './usage-bars.tsx';

interface UsagePanelProps {
  readonly columns: 1 | 2;
  readonly actions?: ReactNode;
}

/** The bars against the plan, of the bill period that runs. */
export function UsagePanel({ columns, actions }: UsagePanelProps) {
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
      {error && <ErrorNotice error={error} retry={refetch} />}
      {data && <UsageBars report={data} columns={columns} />}
      {!data && !error && <Skeleton h={columns === 1 ? 196 : 92} />}
    </Panel>
  );
}
