// The security ground: families of fine curves, each a sine wave bent round a circle or along a frame.

const WIDTH = 297;
const HEIGHT = 210;
const CENTRE = { x: 236, y: 64 };
const POINTS = 1080;

export function drawGuilloche(svg) {
  svg.innerHTML = [
    ...rosette({ inner: 27, outer: 42, lobes: 24, curves: 16, ink: 'teal' }),
    ...rosette({ inner: 17, outer: 30, lobes: 30, curves: 12, ink: 'copper' }),
    ...rosette({ inner: 8, outer: 19, lobes: 16, curves: 12, ink: 'teal' }),
    star({ points: 8, inner: 1.6, outer: 7 }),
    ...frame({ inset: 8.5, swing: 3.2, waves: 132, curves: 9, ink: 'teal' }),
    ...frame({ inset: 8.5, swing: 1.5, waves: 176, curves: 4, ink: 'copper' }),
  ].join('');
}

/** Waves between two radii; every curve is turned a little against the one before, which makes the moiré. */
function rosette({ inner, outer, lobes, curves, ink }) {
  const middle = (inner + outer) / 2;
  return Array.from({ length: curves }, (_, curve) => {
    const phase = (curve / curves) * 2 * Math.PI;
    return path(ink, (turn) => {
      const angle = turn * 2 * Math.PI;
      const swing = ((outer - inner) / 2) * (0.72 + 0.28 * Math.cos((lobes / 2) * angle));
      return onCircle(angle, middle + swing * Math.sin(lobes * angle + phase));
    });
  });
}

function star({ points, inner, outer }) {
  const tips = (turn) => (Math.round(turn * 2 * points) % 2 === 0 ? outer : inner);
  return path('star', (turn) => onCircle(turn * 2 * Math.PI, tips(turn)), 2 * points);
}

function onCircle(angle, radius) {
  return [CENTRE.x + radius * Math.cos(angle), CENTRE.y + radius * Math.sin(angle)];
}

/** Waves across the line of a rectangle with round corners. */
function frame({ inset, swing, waves, curves, ink }) {
  return Array.from({ length: curves }, (_, curve) => {
    const phase = (curve / curves) * 2 * Math.PI;
    return path(
      ink,
      (turn) => {
        const [x, y, normalX, normalY] = pointOnFrame(turn, inset, 9);
        const offset = swing * Math.sin(waves * turn * 2 * Math.PI + phase);
        return [x + normalX * offset, y + normalY * offset];
      },
      POINTS * 3,
    );
  });
}

/** The point at a share of the way round, and the outward normal there. */
function pointOnFrame(turn, inset, radius) {
  const across = WIDTH - 2 * inset - 2 * radius;
  const down = HEIGHT - 2 * inset - 2 * radius;
  const bend = (Math.PI / 2) * radius;
  let way = turn * (2 * across + 2 * down + 4 * bend);

  // Clockwise from the top left: each side starts at a corner's end and looks along `angle`.
  let [x, y, angle] = [inset + radius, inset, 0];
  for (const side of [across, down, across, down]) {
    const [alongX, alongY] = [Math.cos(angle), Math.sin(angle)];
    if (way <= side) return [x + alongX * way, y + alongY * way, alongY, -alongX];
    way -= side;
    [x, y] = [x + alongX * side, y + alongY * side];
    const [centreX, centreY] = [x - alongY * radius, y + alongX * radius];
    if (way <= bend) {
      const turned = angle - Math.PI / 2 + way / radius;
      const [normalX, normalY] = [Math.cos(turned), Math.sin(turned)];
      return [centreX + normalX * radius, centreY + normalY * radius, normalX, normalY];
    }
    way -= bend;
    angle += Math.PI / 2;
    [x, y] = [centreX + Math.sin(angle) * radius, centreY - Math.cos(angle) * radius];
  }
  return [x, y, 0, -1];
}

function path(ink, pointAt, points = POINTS) {
  const coordinates = Array.from({ length: points }, (_, index) =>
    pointAt(index / points).map((value) => value.toFixed(2)).join(' '),
  );
  return `<path class="${ink}" d="M${coordinates.join('L')}Z" />`;
}
