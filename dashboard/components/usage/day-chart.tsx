import { Table, Text, VisuallyHidden } from '@mantine/core';
import { type CSSProperties, lazy, Suspense } from 'react';
import { formatUsageDay } from '../../formats.ts';
import type { DayBarsProps } from './day-bars.tsx';
import classes from './day-chart.module.css';

/** What draws them is larger than all pages together: it comes after the first paint. */
const DayBars = lazy(() => import('./day-bars.tsx').catch(() => ({ default: NoBars })));

const NoBars = () => (
  <Text size="sm" c="dimmed">
    The chart did not load. Load the page again to see it.
  </Text>
);

interface DayChartProps extends Omit<DayBarsProps, 'height'> {
  /** What is shown, for whoever cannot see it. */
  readonly label: string;
}

/** Fits below the axis and is drawn at its height from the first paint on. */
const height = 220;

/** Bars, one for each day; the same as a table for whoever cannot see them. */
export const DayChart = ({ label, days, series, format }: DayChartProps) => (
  <figure className={classes.chart} aria-label={label}>
    <div aria-hidden style={{ height }}>
      <Suspense>
        <DayBars days={days} series={series} format={format} height={height} />
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
