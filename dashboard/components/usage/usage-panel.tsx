import { SimpleGrid, Skeleton, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PlanPolicy } from '../../../contracts/plans.ts';
import type { UsageReport } from '../../../contracts/rest/schemas/usage.ts';
import { admin } from '../../admin.ts';
import { formatBytes, formatDuration, formatNumber, formatUsageDay } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { isUnlimited } from '../plan/plans.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import classes from './usage-panel.module.css';

interface UsagePanelProps {
  readonly columns: 1 | 2;
  readonly actions?: ReactNode;
}

/** Usage in the current bill period against the limits of the plan. */
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

interface UsageBarsProps {
  readonly report: UsageReport;
  readonly columns: 1 | 2;
}

type UsageMeterCode = UsageReport['usageMeters'][number]['code'];

interface MeterLook {
  readonly label: string;
  readonly limitOf: (policy: PlanPolicy) => number | null;
  readonly format?: (value: number) => string;
}

/** The bars are shown in this order. */
const meters: Readonly<Record<UsageMeterCode, MeterLook>> = {
  render_jobs: {
    label: 'Render jobs',
    limitOf: ({ maxRenderJobsPerBillPeriod }) => maxRenderJobsPerBillPeriod,
  },
  render_time_ms: {
    label: 'Render time',
    limitOf: ({ maxRenderTimeMsPerBillPeriod }) => maxRenderTimeMsPerBillPeriod,
    format: formatDuration,
  },
  deploy_commits: {
    label: 'Version commits',
    limitOf: ({ maxDeployCommitsPerBillPeriod }) => maxDeployCommitsPerBillPeriod,
  },
};

/** A bar for each limit of a bill period, and one for storage. */
function UsageBars({ report, columns }: UsageBarsProps) {
  const { policy, usageMeters, liveStorage } = report;
  const used = new Map(usageMeters.map((meter) => [meter.code, meter.totalQuantity]));
  return (
    <SimpleGrid cols={{ base: 1, sm: columns }} spacing="xl" verticalSpacing="lg">
      {(Object.keys(meters) as UsageMeterCode[]).map((code) => {
        const { limitOf, ...look } = meters[code];
        return <UsageBar key={code} used={used.get(code) ?? 0} limit={limitOf(policy)} {...look} />;
      })}
      <UsageBar
        label="Storage"
        used={liveStorage.totalBytes}
        limit={policy.storageLimitBytes}
        format={formatBytes}
      />
    </SimpleGrid>
  );
}

interface UsageBarProps {
  readonly label: string;
  readonly used: number;
  /** `isUnlimited` says which values mean no limit. */
  readonly limit: number | null;
  readonly format?: (value: number) => string;
}

/** A bar warns when usage reaches this share of the limit. */
const nearlyFullShare = 0.8;

/** Usage against one limit. */
function UsageBar({ label, used, limit, format = formatNumber }: UsageBarProps) {
  if (isUnlimited(limit))
    return (
      <div className={classes.usage}>
        <span className={classes.label}>{label}</span>
        <span className={classes.value}>
          <strong>{format(used)}</strong> <span className={classes.of}>no limit</span>
        </span>
      </div>
    );
  const share = limit === 0 ? 1 : Math.min(used / limit, 1);
  return (
    <div className={classes.usage}>
      <span className={classes.label}>{label}</span>
      <span className={classes.value}>
        <strong>{format(used)}</strong> <span className={classes.of}>of {format(limit)}</span>
      </span>
      <meter
        className={classes.meter}
        aria-label={label}
        aria-valuetext={`${format(used)} of ${format(limit)}`}
        max={1}
        value={share}
        data-level={share >= 1 ? 'full' : share >= nearlyFullShare ? 'nearly-full' : undefined}
      />
    </div>
  );
}

type StoragePart = Exclude<keyof UsageReport['liveStorage'], 'totalBytes'>;

/** The rows are shown in this order. */
const storageParts = {
  deployVersionStorageBytes: { title: 'Versions', explanation: 'The files of each version' },
  managedPdfStorageBytes: { title: 'Managed PDFs', explanation: 'Kept until they are deleted' },
  renderOutputStorageBytes: {
    title: 'Transient outputs',
    explanation: 'Deleted at the end of their retention period',
  },
} as const satisfies Record<StoragePart, { title: string; explanation: string }>;

/** The storage in use, by kind. */
export function StorageParts() {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(admin.usage.get.queryOptions({ workspaceId }));
  return (
    <Panel title="Storage now">
      <Table>
        <Table.Tbody>
          {(Object.keys(storageParts) as StoragePart[]).map((part) => (
            <Table.Tr key={part}>
              <Table.Th scope="row">{storageParts[part].title}</Table.Th>
              <Table.Td visibleFrom="sm" c="dimmed">
                {storageParts[part].explanation}
              </Table.Td>
              <Table.Td ta="end">
                {data ? formatBytes(data.liveStorage[part]) : <Skeleton h={12} my={5} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
