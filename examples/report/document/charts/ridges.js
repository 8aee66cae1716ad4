// The cover: a line for each week of the year, one behind the other.

import { add, linearScale } from './drawing.js';

const WIDTH = 1000;
const HEIGHT = 714;
const HOURS_OF_A_WEEK = 168;
const STEP = 2; // hours between points
const RISE = 230; // of the highest load

export function drawRidges(svg, hourlyLoadMw) {
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  const weeks = Math.floor(hourlyLoadMw.length / HOURS_OF_A_WEEK);
  const rise = linearScale([0, Math.max(...hourlyLoadMw)], [0, RISE]);
  for (let week = 0; week < weeks; week++) {
    const foot = RISE + (week / (weeks - 1)) * (HEIGHT - RISE - 2);
    const points = [];
    for (let hour = 0; hour <= HOURS_OF_A_WEEK; hour += STEP) {
      const load = hourlyLoadMw[Math.min(week * HOURS_OF_A_WEEK + hour, hourlyLoadMw.length - 1)];
      points.push(`${((hour / HOURS_OF_A_WEEK) * WIDTH).toFixed(1)} ${(foot - rise(load)).toFixed(1)}`);
    }
    const warmth = rise(Math.max(...hourlyLoadMw.slice(week * HOURS_OF_A_WEEK, (week + 1) * HOURS_OF_A_WEEK))) / RISE;
    const line = points.join('L');
    add(svg, 'path', { d: `M0 ${HEIGHT}L${line}V${HEIGHT}Z`, fill: '#0f2433' }); // hides the weeks behind
    add(svg, 'path', {
      d: `M${line}`,
      fill: 'none',
      stroke: `color-mix(in srgb, #e9a35c ${Math.round(warmth * 100)}%, #5b8b9b)`,
      'stroke-width': 1.3,
      'stroke-linejoin': 'round',
    });
  }
}
