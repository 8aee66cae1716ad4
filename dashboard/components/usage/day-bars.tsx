import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { formatUsageDay } from '../../formats.ts';

export interface Series {
  /** The field of a day that has the value. */
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

export interface DayBarsProps {
  readonly days: readonly ({ readonly day: string } & Readonly<Record<string, number | string>>)[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly height: number;
}

/** The bars of a `DayChart`, without its legend and its table. */
export default function DayBars({ days, series, format, height }: DayBarsProps) {
  return (
    <BarChart
      h={height}
      data={days.map((day) => ({ ...day, day: formatUsageDay(day.day) }))}
      dataKey="day"
      type="stacked"
      series={series.map((entry) => ({ ...entry }))}
      valueFormatter={format}
      tickLine="none"
      maxBarWidth={28}
      barChartProps={{ accessibilityLayer: false, barCategoryGap: '20%' }}
      xAxisProps={{ minTickGap: 24 }}
      yAxisProps={{ tickFormatter: format, allowDecimals: false, width: 'auto' }}
      tooltipAnimationDuration={0}
    />
  );
}
