import { BarChart } from '@mantine/charts';
import { Table, VisuallyHidden } from '@mantine/core';
import type { CSSProperties } from 'react';
import { formatUsageDay } from '../../formats.ts';
import classes from './day-chart.module.css';

export interface Series {
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

interface DayChartProps {
  /** What is shown, for whoever cannot see it. */
  readonly label: string;
  readonly days: readonly ({ readonly day: string } & Readonly<Record<string, number | string>>)[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

/** Fits below the axis and is drawn at its height from the first paint on. */
const height = 220;

/** Bars, one for each day; the same as a table for whoever cannot see them. */
export const DayChart = ({ label, days, series, format }: DayChartProps) => (
  <figure className={classes.chart} aria-label={label}>
    <div aria-hidden style={{ height }}>
      <BarChart
        h={height}
        data={days.map((day) => ({ ...day, day: formatUsageDay(day.day) }))}
        dataKey="day"
        type="stacked"
        series={series.map((one) => ({ ...one }))}
        valueFormatter={format}
        tickLine="none"
        maxBarWidth={28}
        barChartProps={{ accessibilityLayer: false, barCategoryGap: '20%' }}
        xAxisProps={{ minTickGap: 24 }}
        yAxisProps={{ tickFormatter: format, allowDecimals: false, width: 'auto' }}
        tooltipAnimationDuration={0}
      />
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
