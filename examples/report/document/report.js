// Fills index.html from the payload, draws its charts and numbers its contents.

import { charts } from './charts/index.js';
import { drawRidges } from './charts/ridges.js';
import { fillContents } from './contents.js';
import { fillTables } from './tables.js';
import { formatFigure, longDate } from './text.js';

/** The renderer waits for this promise; a rejection fails the job with its message. */
window.renderReady = main();

async function main() {
  const payload = await readPayload();
  const { report, keyFigures } = payload;
  document.title = `${report.company} · Annual report ${report.year}`;

  fill('field', { report: { ...report, publishedOn: longDate(report.publishedOn) } });
  fill('figure', Object.fromEntries(keyFigures.map((figure) => [figure.id, formatFigure(figure)])));
  fillTables(payload);
  await allFonts(); // before the charts and the contents, which measure text

  drawRidges(document.getElementById('ridges'), payload.hourlyLoadMw);
  for (const figure of document.querySelectorAll('[data-chart]')) {
    figure.append(document.createElement('div'));
    charts[figure.dataset.chart](figure.lastElementChild, payload, figure.innerText.trim());
  }
  addRunningHeads(report);
  fillContents(document.getElementById('contents'), document.getElementById('chapters'));
}

async function readPayload() {
  const response = await fetch('/__payload');
  if (!response.ok) throw new Error(`The payload could not be read (HTTP ${response.status}).`);
  const payload = await response.json();
  if (!payload?.report || !Array.isArray(payload.keyFigures)) {
    throw new Error('The payload must be an object with "report" and "keyFigures".');
  }
  return payload;
}

/** Writes values into the elements that name them, e.g. `data-field="report.year"`. */
function fill(attribute, values) {
  for (const element of document.querySelectorAll(`[data-${attribute}]`)) {
    const path = element.dataset[attribute];
    const value = path.split('.').reduce((inner, key) => inner?.[key], values);
    if (value === undefined) throw new Error(`The payload has no ${attribute} "${path}".`);
    element.textContent = value;
  }
}

async function allFonts() {
  await Promise.all([...document.fonts].map((face) => face.load()));
}

/** Gives every chapter a named page with its title in the head: CSS has no running heads in Chromium yet. */
function addRunningHeads({ company, year }) {
  const style = document.createElement('style');
  document.querySelectorAll('.chapter').forEach((chapter, index) => {
    const name = `chapter-${index + 1}`;
    chapter.style.page = name;
    style.append(`@page ${name} { @top-left { content: ${JSON.stringify(chapter.dataset.running)}; } }\n`);
  });
  style.append(`@page { @bottom-left { content: ${JSON.stringify(`${company}, annual report ${year}`)}; } }\n`);
  document.head.append(style);
}
