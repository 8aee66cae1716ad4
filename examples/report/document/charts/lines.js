// Lines over a common horizontal scale, each named at its end.

import { add, addSvg, linearScale, ticksTo } from './drawing.js';

const LABEL_HEIGHT = 20;

/**
 * @param series `{ name, color, values, filled }`, values at even distances from left to right
 * @param xTicks `{ at, label }`, `at` from 0 to 1
 * @param nameWidth room for the names at the right
 */
export function drawLines(host, { title, series, xTicks, format, height = 220, nameWidth = 110, max }) {
  const svg = addSvg(host, height, title);
  const left = 34;
  const right = host.clientWidth - nameWidth;
  const ticks = ticksTo(max ?? Math.max(...series.flatMap(({ values }) => values)));
  const y = linearScale([0, ticks.at(-1)], [height - LABEL_HEIGHT, 8]);

  for (const tick of ticks) {
    add(svg, 'path', { class: tick === 0 ? 'base' : 'grid', d: `M${left} ${y(tick)}H${right}` });
    add(svg, 'text', { x: left - 8, y: y(tick) + 3.5, 'text-anchor': 'end' }, format(tick));
  }
  const x = linearScale([0, 1], [left, right]);
  for (const { at, label } of xTicks) {
    add(svg, 'text', { x: x(at), y: height - 5, 'text-anchor': at === 0 ? 'start' : 'middle' }, label);
  }
  for (const { name, color, values, filled } of series) {
    const points = values.map((value, index) => {
      return `${x(index / (values.length - 1)).toFixed(1)} ${y(value).toFixed(1)}`;
    });
    if (filled) {
      add(svg, 'path', { d: `M${left} ${y(0)}L${points.join('L')}V${y(0)}Z`, fill: color, 'fill-opacity': 0.14 });
    }
    add(svg, 'path', { class: 'line', d: `M${points.join('L')}`, stroke: color });
    add(svg, 'text', { class: 'strong', x: right + 8, y: y(values.at(-1)) + 3.5, style: `fill: ${color}` }, name);
  }
}
