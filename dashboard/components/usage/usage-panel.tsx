import { SimpleGrid, Skeleton, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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

interface UsageBarsProps {
  readonly report: UsageReport;
  readonly columns: 1 | 2;
}

/** What counts against the limits of the plan. */
export function UsageBars({ report, columns }: UsageBarsProps) {
  const { policy, usageMeters, liveStorage } = report;
  const used = Object.fromEntries(usageMeters.map((meter) => [meter.code, meter.totalQuantity]));
  return (
    <SimpleGrid cols={{ base: 1, sm: columns }} spacing="xl" verticalSpacing="lg">
      <UsageBar
        label="Render jobs"
        used={used.render_jobs ?? 0}
        limit={policy.maxRenderJobsPerBillPeriod}
      />
      <UsageBar
        label="Render time"
        used={used.render_time_ms ?? 0}
        limit={policy.maxRenderTimeMsPerBillPeriod}
        format={formatDuration}
      />
      <UsageBar
        label="Deploy commits"
        used={used.deploy_commits ?? 0}
        limit={policy.maxDeployCommitsPerBillPeriod}
      />
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
  /** `null`, or as much as a number holds, is no limit. */
  readonly limit: number | null;
  readonly format?: (value: number) => string;
}

/** From this share on a bar warns. */
const nearlyFull = 0.8;

/** How much of what a plan allows is used. */
export function UsageBar({ label, used, limit, format = formatNumber }: UsageBarProps) {
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
        data-level={share >= 1 ? 'full' : share >= nearlyFull ? 'nearly-full' : undefined}
      />
    </div>
  );
}

const parts = [
  ['deployVersionStorageBytes', 'Versions', 'The files of each version'],
  ['managedPdfStorageBytes', 'Managed PDFs', 'Kept until they are deleted'],
  ['renderOutputStorageBytes', 'Transient outputs', 'Deleted when their time is over'],
] as const satisfies readonly (readonly [keyof UsageReport['liveStorage'], string, string])[];

/** What the storage is full of. */
export function StorageParts() {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(admin.usage.get.queryOptions({ workspaceId }));
  return (
    <Panel title="Storage now">
      <Table>
        <Table.Tbody>
          {parts.map(([key, title, explanation]) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{title}</Table.Th>
              <Table.Td visibleFrom="sm" c="dimmed">
                {explanation}
              </Table.Td>
              <Table.Td ta="end">
                {data ? formatBytes(data.liveStorage[key]) : <Skeleton h={12} my={5} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
