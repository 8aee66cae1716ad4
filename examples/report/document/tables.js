// The tables: each is a list of rows, a row a list of cells, a cell text or a number already written.

import { MONTHS, decimal, signed } from './text.js';

export function fillTables(payload) {
  fillRows('key-figures', payload.keyFigures.map(({ label, unit, value, previous, decimals }) => [
    label,
    unit,
    decimal(value, decimals),
    decimal(previous, decimals),
    signed(value - previous, decimals),
  ]));
  fillPlants(payload.plants);
  fillHeatCosts(payload.heatCosts);
  fillRows('districts', payload.districts.map((district) => [
    district.name,
    decimal(district.lengthKm),
    String(district.medianYearLaid),
    decimal(district.lossPercent, 1),
    decimal(district.returnTemperatureC, 1),
    decimal(district.leaksRepaired),
  ]));
  fillIncome(payload.income);
  fillRows('targets', payload.targets.map(({ label, values }) => [label, ...values]));
  fillHeatByMonth(payload.sources, payload.heatByMonthGwh);
}

function fillPlants(plants) {
  const heatGwh = sum(plants, 'heatGwh');
  const row = (name, kind, plant) => [
    name,
    kind,
    decimal(plant.capacityMw),
    decimal(plant.heatGwh, 1),
    `${decimal((plant.heatGwh / heatGwh) * 100, 1)} %`,
    decimal((plant.heatGwh * 1000) / plant.capacityMw),
  ];
  fillRows('plants', plants.map((plant) => row(plant.name, plant.kind, plant)));
  addTotal('plants', row('All plants', '', { capacityMw: sum(plants, 'capacityMw'), heatGwh }));
}

/** Fixed costs and the price of the power that a megawatt-hour of heat takes. */
function fillHeatCosts(plants) {
  const powerPrices = [20, 80, 160];
  addHead('heat-costs', ['Plant', ...powerPrices.map((price) => `Power at ${price} €/MWh`)]);
  fillRows('heat-costs', plants.map(({ name, fixedEuros, powerShare }) => [
    name,
    ...powerPrices.map((price) => decimal(fixedEuros + price * powerShare)),
  ]));
}

function fillIncome(income) {
  const row = (label, value, previous) => [
    label,
    decimal(value, 1),
    decimal(previous, 1),
    signed(value - previous, 1),
  ];
  const revenue = income.filter(({ kind }) => kind === 'revenue');
  const costs = income.filter(({ kind }) => kind === 'cost').map((line) => ({
    ...line,
    value: -line.value,
    previous: -line.previous,
  }));
  for (const lines of [revenue, costs]) {
    fillRows('income', lines.map(({ label, value, previous }) => row(label, value, previous)));
    addTotal('income', row(lines === revenue ? 'Revenue' : 'Costs', sum(lines, 'value'), sum(lines, 'previous')));
  }
  const all = [...revenue, ...costs];
  addTotal('income', row('Result for the year', sum(all, 'value'), sum(all, 'previous')));
}

function fillHeatByMonth(sources, months) {
  addHead('heat-by-month', ['Month', ...sources.map(({ name }) => name), 'All sources']);
  const row = (label, values) => {
    const cells = sources.map(({ id }) => values[id]);
    return [label, ...[...cells, cells.reduce((total, value) => total + value)].map((value) => decimal(value, 1))];
  };
  const year = Object.fromEntries(sources.map(({ id }) => [id, sum(months, id)]));
  fillRows('heat-by-month', months.map((values, month) => row(MONTHS[month], values)));
  addTotal('heat-by-month', row('Year', year));
}

/** The head of a table whose columns depend on the payload: a name, then numbers. */
function addHead(tableId, texts) {
  const row = document.getElementById(tableId).tHead.insertRow();
  texts.forEach((text, index) => {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = text;
    if (index > 0) cell.className = 'number';
    row.append(cell);
  });
}

/** The first cell of a row is its head; cells below a head of class `number` are numbers. */
function fillRows(tableId, rows, className = '') {
  const table = document.getElementById(tableId);
  const heads = table.tHead.rows[0].cells;
  for (const texts of rows) {
    const row = table.tBodies[0].insertRow();
    row.className = className;
    texts.forEach((text, index) => {
      const cell = document.createElement(index === 0 ? 'th' : 'td');
      if (index === 0) cell.scope = 'row';
      cell.className = heads[index].className;
      cell.textContent = text;
      row.append(cell);
    });
  }
}

function addTotal(tableId, row) {
  fillRows(tableId, [row], 'total');
}

function sum(rows, key) {
  return rows.reduce((total, row) => total + row[key], 0);
}
