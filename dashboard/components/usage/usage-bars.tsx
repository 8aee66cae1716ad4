import { SimpleGrid } from '@mantine/core';
import type { UsageReport } from '../../../contracts/rest/schemas/usage.ts';
import { formatBytes, formatDuration } from '../../formats.ts';
import { UsageBar } from './usage-bar.tsx';

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
