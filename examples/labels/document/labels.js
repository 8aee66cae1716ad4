// Lays the labels of the payload on sheets of 24 and draws a Code 128 barcode on each.

import { encodeCode128 } from './code128.js';

const LABELS_PER_SHEET = 24;
/** The narrowest bar is 1 CSS pixel, 0.265 mm: hand scanners want 0.25 mm, and whole CSS pixels are never resampled. */
const MODULE_CSS_PX = 1;
/** 384 dots per inch on paper, and every edge of a bar lies on a pixel's edge. */
const PIXELS_PER_MODULE = 4;
/** Bars are alike at every height: CSS stretches a low canvas, which saves nine tenths of the memory. */
const CANVAS_HEIGHT = 16;
/** Code 128 asks for 10 modules of white on either side. */
const QUIET_MODULES = 10;
/** The width of a label's inside, with the quiet zones reaching into its padding. */
const MAX_MODULES = 235;

/** The renderer waits for this promise; a rejection fails the job with its message. */
window.renderReady = main();

async function main() {
  const { depot, labels } = await readPayload();
  document.title = `${depot} · ${labels.length} shelf labels`;
  for (let first = 0; first < labels.length; first += LABELS_PER_SHEET) {
    const sheet = document.createElement('section');
    const onSheet = labels.slice(first, first + LABELS_PER_SHEET);
    sheet.append(...onSheet.map((label, index) => labelElement(label, depot, first + index + 1)));
    document.body.append(sheet);
  }
  await fontsOfTheText();
}

async function readPayload() {
  const response = await fetch('/__payload');
  if (!response.ok) throw new Error(`The payload could not be read (HTTP ${response.status}).`);
  const payload = await response.json();
  if (typeof payload?.depot !== 'string') throw new Error('The payload must name the "depot".');
  if (!Array.isArray(payload.labels) || payload.labels.length === 0) {
    throw new Error('The payload must hold at least one of "labels".');
  }
  return payload;
}

function labelElement(label, depot, number) {
  for (const key of ['code', 'name', 'bin', 'lot']) {
    if (typeof label?.[key] !== 'string') throw new Error(`Label ${number} has no "${key}".`);
  }
  const element = document.getElementById('label').content.firstElementChild.cloneNode(true);
  const texts = {
    '.bin': label.bin,
    '.depot': depot,
    h1: label.name,
    '.code': label.code,
    '.lot': `Lot ${label.lot} · ${label.quantity} pcs`,
  };
  for (const [selector, text] of Object.entries(texts)) element.querySelector(selector).textContent = text;
  try {
    drawBarcode(element.querySelector('canvas'), label.code);
  } catch (error) {
    throw new Error(`Label ${number}: ${error.message}`);
  }
  return element;
}

function drawBarcode(canvas, code) {
  const widths = encodeCode128(code);
  const modules = widths.reduce((sum, width) => sum + width, 2 * QUIET_MODULES);
  if (modules > MAX_MODULES) throw new Error(`"${code}" is too long for the label.`);

  canvas.width = modules * PIXELS_PER_MODULE;
  canvas.height = CANVAS_HEIGHT;
  canvas.style.width = `${modules * MODULE_CSS_PX}px`;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `Barcode ${code}`);

  const context = canvas.getContext('2d', { alpha: false });
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  let x = QUIET_MODULES * PIXELS_PER_MODULE;
  widths.forEach((width, index) => {
    const isBar = index % 2 === 0;
    if (isBar) context.fillRect(x, 0, width * PIXELS_PER_MODULE, canvas.height);
    x += width * PIXELS_PER_MODULE;
  });
}

/** Layout asks for the fonts of text written by script; only then is `fonts.ready` worth awaiting. */
async function fontsOfTheText() {
  document.body.getBoundingClientRect();
  await document.fonts.ready;
}
