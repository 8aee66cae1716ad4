// Points on a canvas.

import { addCanvas, linearScale, ticksTo } from './drawing.js';
import { HAIRLINE, INK, QUIET } from './palette.js';

const LEFT = 34;
const BOTTOM = 34;

/** @param points `{ x, y, color }` */
export function drawScatter(host, { title, points, xTicks, xLabel, yLabel, format, height = 270 }) {
  const context = addCanvas(host, height, title);
  const right = host.clientWidth;
  const yTicks = ticksTo(Math.max(...points.map((point) => point.y)));
  const x = linearScale([xTicks[0], xTicks.at(-1)], [LEFT + 4, right - 4]);
  const y = linearScale([0, yTicks.at(-1)], [height - BOTTOM, 14]);

  for (const tick of yTicks) {
    context.fillStyle = tick === 0 ? INK : HAIRLINE;
    context.fillRect(LEFT, y(tick) - 0.3, right - LEFT, tick === 0 ? 0.9 : 0.6);
    context.fillStyle = QUIET;
    context.textAlign = 'right';
    context.fillText(format(tick), LEFT - 7, y(tick) + 3.5);
  }
  context.textAlign = 'center';
  for (const tick of xTicks.slice(1, -1)) context.fillText(format(tick), x(tick), height - BOTTOM + 15);
  context.textAlign = 'right';
  context.fillText(xLabel, right, height - 4);
  context.textAlign = 'left';
  context.fillText(yLabel, LEFT, 8);

  context.globalAlpha = 0.75;
  for (const point of points) {
    context.fillStyle = point.color;
    context.beginPath();
    context.arc(x(point.x), y(point.y), 2.3, 0, 2 * Math.PI);
    context.fill();
  }
}
