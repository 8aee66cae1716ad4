import { Center, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, lazy, Suspense } from 'react';
import type { JobDay } from '../../../contracts/admin/jobs.ts';
import { admin } from '../../admin.ts';
import { formatBytes, formatNumber, formatUsageDay } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import classes from './charts.module.css';
import type { DayBarsProps, Series } from './day-bars.tsx';

/** Loaded after the first paint, because the chart library is larger than all pages together. */
const DayBars = lazy(() => import('./day-bars.tsx').catch(() => ({ default: NoBars })));

const NoBars = () => (
  <Text size="sm" c="dimmed">
    The chart did not load. Load the page again to see it.
  </Text>
);

interface DayChartProps extends Omit<DayBarsProps, 'height'> {
  /** Names the chart for screen readers. */
  readonly label: string;
}

/** The height of the bars in pixels. It is reserved from the first paint, so that nothing moves later. */
const barsHeight = 220;

/** One bar per day, and the same numbers as a table for screen readers. */
const DayChart = ({ label, days, series, format }: DayChartProps) => (
  <figure className={classes.chart} aria-label={label}>
    <div aria-hidden style={{ height: barsHeight }}>
      <Suspense>
        <DayBars days={days} series={series} format={format} height={barsHeight} />
      </Suspense>
    </div>
    {series.length > 1 && (
      <ul className={classes.legend} aria-hidden>
        {series.map(({ name, label: text, color }) => (
          <li key={name} style={{ '--swatch': color } as CSSProperties}>
            {text}
          </li>
        ))}
      </ul>
    )}
    <VisuallyHidden>
      <Table>
        <Table.Caption>{label}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day</Table.Th>
            {series.map(({ name, label: header }) => (
              <Table.Th key={name} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map((day) => (
            <Table.Tr key={day.day}>
              <Table.Th scope="row">{formatUsageDay(day.day)}</Table.Th>
              {series.map(({ name }) => (
                <Table.Td key={name}>{format(Number(day[name]))}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </VisuallyHidden>
  </figure>
);

const daysShown = 30;
/** The height of the bars and their legend, in pixels. */
const barsAndLegendHeight = 246;

const jobLooks = {
  succeeded: { label: 'Succeeded', color: 'var(--chart-good)' },
  failed: { label: 'Failed', color: 'var(--chart-bad)' },
  canceled: { label: 'Canceled', color: 'var(--chart-quiet)' },
  open: { label: 'Not ended', color: 'var(--chart-open)' },
} as const satisfies Record<Exclude<keyof JobDay, 'day'>, Omit<Series, 'name'>>;

/** The parts of a bar from its bottom to its top. */
const jobSeries = Object.entries(jobLooks).map(([name, look]) => ({
  name: name as keyof typeof jobLooks,
  ...look,
}));

export function JobsByDay() {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(
    admin.jobs.daily.queryOptions({ workspaceId, days: daysShown }),
  );
  const hasJobs = data?.items.some((day) => jobSeries.some(({ name }) => day[name] > 0));
  return (
    <Panel title="Jobs" description={`By the day of the request, last ${daysShown} days (UTC)`}>
      {error ? (
        <ErrorNotice error={error} retry={refetch} />
      ) : !data ? (
        <Skeleton h={barsAndLegendHeight} />
      ) : hasJobs ? (
        <DayChart
          label="Jobs by the day of their request"
          days={data.items}
          series={jobSeries}
          format={formatNumber}
        />
      ) : (
        <Center h={barsAndLegendHeight}>
          <Text c="dimmed">No jobs in these {daysShown} days.</Text>
        </Center>
      )}
    </Panel>
  );
}

const storageSeries: readonly Series[] = [
  { name: 'peakBytes', label: 'Peak', color: 'var(--chart-open)' },
];

/** The peak of the stored managed PDFs on each day, which is what is billed. */
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
          series={storageSeries}
          format={formatBytes}
        />
      ) : error ? (
        <ErrorNotice error={error} retry={refetch} />
      ) : (
        <Skeleton h={barsHeight} />
      )}
    </Panel>
  );
}
