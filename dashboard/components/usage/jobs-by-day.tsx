import { Center, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JobDay } from '../../../contracts/admin/jobs.ts';
import { admin } from '../../admin.ts';
import { formatNumber } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { Panel } from '../panel.tsx';
import type { Series } from './day-bars.tsx';
import { DayChart } from './day-chart.tsx';

const days = 30;
/** With the legend. */
const chartHeight = 246;

/** A part of each bar for every count of a day. */
const looks: Readonly<Record<Exclude<keyof JobDay, 'day'>, Omit<Series, 'name'>>> = {
  succeeded: { label: 'Succeeded', color: 'var(--chart-good)' },
  failed: { label: 'Failed', color: 'var(--chart-bad)' },
  canceled: { label: 'Canceled', color: 'var(--chart-quiet)' },
  open: { label: 'Not ended', color: 'var(--chart-open)' },
};
const series: readonly Series[] = Object.entries(looks).map(([name, look]) => ({ name, ...look }));

export function JobsByDay() {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(admin.jobs.daily.queryOptions({ workspaceId, days }));
  const hasAny = data?.items.some((day) =>
    series.some(({ name }) => Number(day[name as 'open']) > 0),
  );
  return (
    <Panel title="Jobs" description={`By the day of the request, last ${days} days (UTC)`}>
      {error ? (
        <ErrorNotice error={error} retry={refetch} />
      ) : !data ? (
        <Skeleton h={chartHeight} />
      ) : hasAny ? (
        <DayChart
          label="Jobs by the day of their request"
          days={data.items}
          series={series}
          format={formatNumber}
        />
      ) : (
        <Center h={chartHeight}>
          <Text c="dimmed">No jobs in these {days} days.</Text>
        </Center>
      )}
    </Panel>
  );
}
