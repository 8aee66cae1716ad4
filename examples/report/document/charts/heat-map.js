// Every hour of a year as one cell of a canvas: 8,760 SVG elements would weigh ten times as much in the PDF.

import { addCanvas, linearScale } from './drawing.js';
import { QUIET, RAMP } from './palette.js';

const LEFT = 34;
const BOTTOM = 40;
const HOURS = 24;

/** @param values one for each hour from the first of January */
export function drawHeatMap(host, { title, values, months, format, height = 250 }) {
  const context = addCanvas(host, height, title);
  const days = values.length / HOURS;
  const width = (host.clientWidth - LEFT) / days;
  const rowHeight = (height - BOTTOM) / HOURS;
  const most = Math.max(...values);
  const colorOf = ramp(Math.min(...values), most);

  values.forEach((value, index) => {
    const day = Math.floor(index / HOURS);
    const hour = index % HOURS;
    context.fillStyle = colorOf(value);
    // A little wider than the cell, or the white below shines through between two of them.
    context.fillRect(LEFT + day * width, hour * rowHeight, width + 0.3, rowHeight + 0.3);
  });

  context.fillStyle = QUIET;
  context.textAlign = 'right';
  for (const hour of [0, 6, 12, 18]) {
    context.fillText(`${String(hour).padStart(2, '0')}:00`, LEFT - 7, hour * rowHeight + 9);
  }
  context.textAlign = 'left';
  months.forEach((month, index) => context.fillText(month, LEFT + (index / 12) * days * width + 2, height - BOTTOM + 15));
  drawKey(context, host.clientWidth, height, colorOf, most, format);
}

function drawKey(context, width, height, colorOf, most, format) {
  const steps = 60;
  const keyWidth = 150;
  const left = width - keyWidth - 52;
  for (let step = 0; step < steps; step++) {
    context.fillStyle = colorOf((step / (steps - 1)) * most);
    context.fillRect(left + (step / steps) * keyWidth, height - 9, keyWidth / steps + 0.3, 8);
  }
  context.fillStyle = QUIET;
  context.textAlign = 'right';
  context.fillText(format(0), left - 6, height - 1);
  context.textAlign = 'left';
  context.fillText(format(most), left + keyWidth + 6, height - 1);
}

function ramp(least, most) {
  const colors = RAMP.map((hex) => [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16)));
  const place = linearScale([least, most], [0, colors.length - 1]);
  return (value) => {
    const at = Math.max(0, place(value));
    const index = Math.min(Math.floor(at), colors.length - 2);
    const mixed = colors[index].map((from, channel) => from + (colors[index + 1][channel] - from) * (at - index));
    return `rgb(${mixed.map(Math.round).join(' ')})`;
  };
}
