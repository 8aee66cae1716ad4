// Bars that lie, with their name at the left and their number at the end.

import { add, addSvg, linearScale } from './drawing.js';

const ROW_HEIGHT = 25;
const NAME_WIDTH = 159; // the report's wide margin, so that bars start where text does
const NUMBER_WIDTH = 40;

/** @param rows `{ label, value, color }` */
export function drawBars(host, { title, rows, format }) {
  const svg = addSvg(host, rows.length * ROW_HEIGHT, title);
  const x = linearScale([0, Math.max(...rows.map(({ value }) => value))], [0, host.clientWidth - NAME_WIDTH - NUMBER_WIDTH]);
  rows.forEach(({ label, value, color }, index) => {
    const middle = (index + 0.5) * ROW_HEIGHT;
    add(svg, 'text', { x: 0, y: middle + 3.5 }, label);
    add(svg, 'rect', { x: NAME_WIDTH, y: middle - 7, width: x(value), height: 14, fill: color });
    add(svg, 'text', { class: 'strong', x: NAME_WIDTH + x(value) + 6, y: middle + 3.5 }, format(value));
  });
}
