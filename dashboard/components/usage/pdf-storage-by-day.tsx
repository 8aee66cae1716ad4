import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin } from '../../admin.ts';
import { formatBytes } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { Panel } from '../panel.tsx';
import type { Series } from './day-bars.tsx';
import { DayChart } from './day-chart.tsx';

const series: readonly Series[] = [
  { name: 'peakBytes', label: 'Peak', color: 'var(--chart-open)' },
];

/** What managed PDFs are billed by: the most that was stored on each day. */
export function PdfStorageByDay() {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(admin.usage.get.queryOptions({ workspaceId }));
  const meter = data?.storageMeters.find(({ code }) => code === 'managed_pdf_storage');
  return (
    <Panel
      title="Managed PDFs"
      description={
        meter
          ? `Peak of each day; ${meter.totalPeakGiBDays.toFixed(3)} GiB-days in this bill period`
          : '\u00a0'
      }
    >
      {meter ? (
        <DayChart
          label="Peak of managed PDF storage by day"
          days={meter.peakBytesByDay}
          series={series}
          format={formatBytes}
        />
      ) : error ? (
        <ErrorNotice error={error} retry={refetch} />
      ) : (
        <Skeleton h={220} />
      )}
    </Panel>
  );
}
