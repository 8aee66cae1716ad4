// Fills index.html from the payload; the ground is drawn by guilloche.js, the QR code by the vendored uqr.

import { drawGuilloche } from './guilloche.js';
import { encode } from './vendor/uqr.js';

/** The renderer waits for this promise; a rejection fails the job with its message. */
window.renderReady = main();

async function main() {
  const payload = await readPayload();
  const { certificate, recipient, institution } = payload;
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

  document.title = `${certificate.number} · ${recipient.name} · ${institution.name}`;
  fill(document.body, {
    ...payload,
    certificate: { ...certificate, issuedOn: date.format(new Date(certificate.issuedOn)) },
  });
  document.getElementById('native-name').lang = recipient.nativeLanguage;
  for (const translation of payload.translations) {
    addCopy('translations', 'translation', translation).lang = translation.language;
  }
  for (const module of payload.course.modules) addCopy('modules', 'module', module);

  drawGuilloche(document.getElementById('guilloche'));
  drawCode(document.getElementById('code'), certificate.verifyUrl);
  await fontsOfTheText();
}

async function readPayload() {
  const response = await fetch('/__payload');
  if (!response.ok) throw new Error(`The payload could not be read (HTTP ${response.status}).`);
  const payload = await response.json();
  if (!payload?.certificate) throw new Error('The payload must be an object with a "certificate".');
  return payload;
}

/** Writes values into the elements that name them, e.g. `data-field="course.title"`. */
function fill(root, values) {
  for (const element of root.querySelectorAll('[data-field]')) {
    const path = element.dataset.field;
    const value = path.split('.').reduce((inner, key) => inner?.[key], values);
    if (value === undefined) throw new Error(`The payload has no "${path}".`);
    element.textContent = value;
  }
}

function addCopy(parentId, templateId, values) {
  const copy = document.getElementById(templateId).content.firstElementChild.cloneNode(true);
  fill(copy, values);
  document.getElementById(parentId).append(copy);
  return copy;
}

/** One path of squares, one unit each: stays sharp at any size. */
function drawCode(svg, text) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const squares = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.innerHTML = `<path d="${squares.join('')}" />`;
}

/** Layout asks for the fonts of text written by script; only then is `fonts.ready` worth awaiting. */
async function fontsOfTheText() {
  document.body.getBoundingClientRect();
  await document.fonts.ready;
}
