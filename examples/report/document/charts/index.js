// Which data each figure of index.html shows (`data-chart`), and how.

import { MONTHS, decimal } from '../text.js';
import { drawBars } from './bars.js';
import { drawColumns } from './columns.js';
import { drawHeatMap } from './heat-map.js';
import { drawLines } from './lines.js';
import { ACCENT, SEA, SOURCES } from './palette.js';
import { drawScatter } from './scatter.js';

export const charts = {
  heatBySource: (host, { sources, heatByMonthGwh }, title) =>
    drawColumns(host, {
      title,
      labels: MONTHS,
      series: sources.map(({ id, name }, index) => ({
        name,
        color: SOURCES[index],
        values: heatByMonthGwh.map((month) => month[id]),
      })),
      format: decimal,
      height: 270,
    }),

  demandByTemperature: (host, { dailyTemperatureC, hourlyLoadMw }, title) =>
    drawScatter(host, {
      title,
      points: dailyTemperatureC.map((temperature, day) => ({
        x: temperature,
        y: hourlyLoadMw.slice(day * 24, day * 24 + 24).reduce((sum, load) => sum + load) / 1000,
        color: temperature < -7 ? ACCENT : SEA,
      })),
      xTicks: [-15, -10, -5, 0, 5, 10, 15, 20, 25],
      xLabel: 'Mean temperature outdoors, °C',
      yLabel: 'GWh a day',
      format: decimal,
    }),

  hourlyLoad: (host, { hourlyLoadMw }, title) =>
    drawHeatMap(host, {
      title,
      values: hourlyLoadMw,
      months: MONTHS,
      format: (load) => `${decimal(load)} MW`,
      height: 340,
    }),

  loadDuration: (host, { hourlyLoadMw }, title) =>
    drawLines(host, {
      title,
      series: [{ name: '', color: ACCENT, values: [...hourlyLoadMw].sort((a, b) => b - a), filled: true }],
      xTicks: [0, 2000, 4000, 6000, 8000].map((hour) => ({
        at: hour / hourlyLoadMw.length,
        label: hour === 0 ? 'hours' : decimal(hour),
      })),
      format: decimal,
      nameWidth: 0,
    }),

  coldWeek: (host, { coldWeek: { startsOn, hours } }, title) =>
    drawLines(host, {
      title,
      series: [
        { name: 'Tank, MWh', color: SEA, values: hours.map((hour) => hour.levelMwh), filled: true },
        { name: 'Demand, MW', color: ACCENT, values: hours.map((hour) => hour.demandMw) },
      ],
      xTicks: daysFrom(startsOn, hours.length / 24),
      format: decimal,
      nameWidth: 80,
      max: 1400,
    }),

  lossesByDistrict: (host, { districts }, title) =>
    drawBars(host, {
      title,
      rows: districts.map(({ name, lossPercent }, index) => ({
        label: name,
        value: lossPercent,
        color: index === 0 ? ACCENT : SEA,
      })),
      format: (value) => decimal(value, 1),
    }),

  customerCost: (host, { customerCost }, title) =>
    drawLines(host, {
      title,
      series: [
        { name: 'Gas boiler', color: ACCENT, values: customerCost.map((year) => year.gasBoilerEuros) },
        { name: 'District heat', color: SEA, values: customerCost.map((year) => year.districtHeatEuros) },
      ],
      xTicks: customerCost.map(({ year }, index) => ({ at: index / (customerCost.length - 1), label: String(year) })),
      format: decimal,
    }),

  emissions: (host, { emissionsByYear, emissionsTarget }, title) => {
    const years = [...emissionsByYear, emissionsTarget];
    drawColumns(host, {
      title,
      labels: years.map((entry) => (entry === emissionsTarget ? `Target ${entry.year}` : String(entry.year))),
      series: [{ color: SEA, values: years.map(({ gramsPerKwh }) => gramsPerKwh) }],
      classOf: (index) => ({ 1: 'target', 2: 'latest' })[years.length - index],
      format: (value) => decimal(value, Number.isInteger(value) ? 0 : 1),
      showValues: true,
      height: 240,
    });
  },

  injuries: (host, { injuriesByYear }, title) =>
    drawColumns(host, {
      title,
      labels: injuriesByYear.map(({ year }) => String(year)),
      series: [{ color: SEA, values: injuriesByYear.map(({ perMillionHours }) => perMillionHours) }],
      classOf: (index) => (index === injuriesByYear.length - 1 ? 'latest' : ''),
      format: (value) => decimal(value, 1),
      showValues: true,
      height: 140,
    }),

  hundredEuros: (host, { income }, title) => {
    const revenue = income.filter(({ kind }) => kind === 'revenue').reduce((sum, { value }) => sum + value, 0);
    const costs = income.filter(({ kind }) => kind === 'cost');
    const result = revenue - costs.reduce((sum, { value }) => sum + value, 0);
    drawBars(host, {
      title,
      rows: [
        ...costs.map(({ label, value }) => ({ label, value: (value / revenue) * 100, color: SEA })),
        { label: 'Result', value: (result / revenue) * 100, color: ACCENT },
      ],
      format: (value) => decimal(value, 1),
    });
  },

  investment: (host, { investmentPlan }, title) =>
    drawBars(host, {
      title,
      rows: investmentPlan.map(({ label, millionEuros }) => ({ label, value: millionEuros, color: SEA })),
      format: decimal,
    }),
};

function daysFrom(startsOn, count) {
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  return Array.from({ length: count }, (_, day) => ({
    at: (day + 0.5) / count,
    label: weekday.format(Date.parse(startsOn) + day * 86_400_000),
  }));
}
