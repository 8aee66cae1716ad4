// What every chart needs: a surface to draw on, and a scale.

/** Charts are laid out in CSS pixels at the width of their figure. */
export function addSvg(host, height, label) {
  const svg = add(host, 'svg', { width: host.clientWidth, height, viewBox: `0 0 ${host.clientWidth} ${height}` });
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  return svg;
}

export function add(parent, name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === 'number' ? Number(value.toFixed(2)) : value);
  }
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** Four pixels for each CSS pixel: 384 dots per inch on paper, where the screen's one would be blurred. */
const CANVAS_SCALE = 4;

export function addCanvas(host, height, label) {
  const canvas = document.createElement('canvas');
  canvas.width = host.clientWidth * CANVAS_SCALE;
  canvas.height = height * CANVAS_SCALE;
  canvas.style.width = `${host.clientWidth}px`;
  canvas.style.height = `${height}px`;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', label);
  host.append(canvas);
  const context = canvas.getContext('2d');
  context.scale(CANVAS_SCALE, CANVAS_SCALE);
  context.font = "10.5px 'Source Sans 3', Helvetica, Arial, sans-serif";
  return context;
}

export function linearScale([from, to], [start, end]) {
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

/** Round steps from zero to at least `max`. */
export function ticksTo(max, count = 4) {
  const power = 10 ** Math.floor(Math.log10(max / count));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size * count >= max);
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => index * step);
}
