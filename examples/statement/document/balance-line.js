// A line chart of the balance over the period, one step for each day with entries.

const WIDTH = 520;
const HEIGHT = 96;
const SCALE_WIDTH = 44; // room for the amounts at the right
const DAY_MS = 86_400_000;

export function drawBalanceLine(svg, openingBalanceCents, entries, format) {
  if (entries.length === 0) return svg.closest('figure').remove();

  const balanceByDay = new Map(entries.map((entry) => [Date.parse(entry.bookedOn), entry.balanceCents]));
  const days = [...balanceByDay.keys()];
  const start = Date.parse(`${entries[0].bookedOn.slice(0, 7)}-01`);
  const end = days.at(-1) + DAY_MS;
  const step = niceStep(Math.max(openingBalanceCents, ...balanceByDay.values()) / 3);
  const top = step * Math.ceil(Math.max(openingBalanceCents, ...balanceByDay.values()) / step);
  const bottom = Math.min(0, step * Math.floor(Math.min(...balanceByDay.values()) / step));
  const x = (time) => (((time - start) / (end - start)) * (WIDTH - SCALE_WIDTH)).toFixed(1);
  const y = (cents) => (8 + ((top - cents) / (top - bottom)) * (HEIGHT - 24)).toFixed(1);

  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  for (let cents = bottom; cents <= top; cents += step) {
    add(svg, 'path', { class: 'grid', d: `M0 ${y(cents)}H${WIDTH - SCALE_WIDTH}` });
    add(svg, 'text', { x: WIDTH, y: Number(y(cents)) + 2.5, 'text-anchor': 'end' }, format.count(cents / 100));
  }
  for (const month of monthsBetween(start, end)) {
    add(svg, 'text', { x: x(month), y: HEIGHT - 2 }, format.month(month).slice(0, 3));
  }
  const steps = days.map((day) => `H${x(day)}V${y(balanceByDay.get(day))}`);
  add(svg, 'path', { class: 'line', d: `M0 ${y(openingBalanceCents)}${steps.join('')}H${x(end)}` });
}

function niceStep(cents) {
  const power = 10 ** Math.floor(Math.log10(cents));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= cents);
}

function* monthsBetween(start, end) {
  for (const month = new Date(start); month.getTime() < end; month.setUTCMonth(month.getUTCMonth() + 1)) {
    yield month.getTime();
  }
}

function add(parent, name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
}
