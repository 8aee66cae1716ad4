// Upright columns, stacked where there is more than one series.

import { add, addSvg, linearScale, ticksTo } from './drawing.js';

const SCALE_WIDTH = 34;
const LABEL_HEIGHT = 20;
const KEY_HEIGHT = 26;

/**
 * @param series `{ name, color, values }`, from the foot of the column upwards
 * @param format of the scale and, with `showValues`, of the number above each column
 * @param classOf the class of a column by its index: `latest`, `target`
 */
export function drawColumns(host, { title, labels, series, format, height = 230, showValues = false, classOf }) {
  const svg = addSvg(host, height, title);
  const right = host.clientWidth - SCALE_WIDTH;
  const top = series.length > 1 ? KEY_HEIGHT : 14;
  const totals = labels.map((_, index) => series.reduce((sum, { values }) => sum + values[index], 0));
  const ticks = ticksTo(Math.max(...totals));
  const y = linearScale([0, ticks.at(-1)], [height - LABEL_HEIGHT, top]);
  const band = right / labels.length;
  const width = Math.min(34, band * 0.66);

  for (const tick of ticks) {
    add(svg, 'path', { class: tick === 0 ? 'base' : 'grid', d: `M0 ${y(tick)}H${right}` });
    add(svg, 'text', { x: host.clientWidth, y: y(tick) + 3.5, 'text-anchor': 'end' }, format(tick));
  }
  labels.forEach((label, index) => {
    const middle = band * (index + 0.5);
    let below = 0;
    for (const { color, values } of series) {
      const above = below + values[index];
      const size = { x: middle - width / 2, y: y(above), width, height: y(below) - y(above) };
      add(svg, 'rect', { ...size, fill: color, class: classOf?.(index) ?? '' });
      below = above;
    }
    add(svg, 'text', { x: middle, y: height - 5, 'text-anchor': 'middle' }, label);
    if (showValues) {
      add(svg, 'text', { class: 'strong', x: middle, y: y(totals[index]) - 5, 'text-anchor': 'middle' }, format(totals[index]));
    }
  });
  if (series.length > 1) drawKey(svg, series);
}

function drawKey(svg, series) {
  let x = 0;
  for (const { name, color } of series) {
    add(svg, 'rect', { x, y: 1, width: 9, height: 9, fill: color });
    const text = add(svg, 'text', { x: x + 14, y: 9.5 }, name);
    x += 14 + text.getComputedTextLength() + 18;
  }
}
