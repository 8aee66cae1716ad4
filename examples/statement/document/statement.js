// Fills index.html from the payload: the summary, the balance line and one table body for each month.

import { bookEntries, byMonth, summaryOf } from './ledger.js';
import { drawBalanceLine } from './balance-line.js';

/** The renderer waits for this promise; a rejection fails the job with its message. */
window.renderReady = main();

async function main() {
  const payload = await readPayload();
  const { locale = 'en', currency } = payload;
  const entries = bookEntries(payload);
  const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const format = {
    amount: (cents) => money.format(cents / 100).replace('-', '−'),
    day: dateFormat(locale, { day: '2-digit', month: 'short' }),
    month: dateFormat(locale, { month: 'long', year: 'numeric' }),
    date: dateFormat(locale, { dateStyle: 'long' }),
    count: (count) => new Intl.NumberFormat(locale).format(count),
  };

  document.documentElement.lang = locale;
  document.title = `${payload.bank.name} · ${payload.holder.name} · Statement ${payload.statement.number}`;
  fill(payload, entries, format, currency);
  drawBalanceLine(document.getElementById('balance-line'), payload.openingBalanceCents, entries, format);

  const table = document.querySelector('.entries');
  table.tHead.after(balanceBody('Opening balance', payload.openingBalanceCents, format));
  table.append(
    ...byMonth(entries).map((month) => monthBody(month, format)),
    balanceBody('Closing balance', payload.closingBalanceCents, format),
  );
  await fontsOfTheText();
}

async function readPayload() {
  const response = await fetch('/__payload');
  if (!response.ok) throw new Error(`The payload could not be read (HTTP ${response.status}).`);
  const payload = await response.json();
  if (!Array.isArray(payload?.transactions)) {
    throw new Error('The payload must be a bank statement with "transactions".');
  }
  return payload;
}

/** Dates of the payload are days without a time, so they are read and written in UTC. */
function dateFormat(locale, options) {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (day) => format.format(new Date(day));
}

function fill(payload, entries, format, currency) {
  const summary = summaryOf(entries);
  const { statement } = payload;
  const values = {
    ...payload,
    currency,
    statement: {
      number: statement.number,
      from: format.date(statement.from),
      to: format.date(statement.to),
      issuedOn: format.date(statement.issuedOn),
    },
    openingBalance: format.amount(payload.openingBalanceCents),
    closingBalance: format.amount(payload.closingBalanceCents),
    paidIn: format.amount(summary.paidInCents),
    paidOut: format.amount(summary.paidOutCents),
  };
  for (const element of document.querySelectorAll('[data-field]')) {
    const path = element.dataset.field;
    const value = path.split('.').reduce((inner, key) => inner?.[key], values);
    if (value === undefined) throw new Error(`The payload has no "${path}".`);
    element.textContent = Array.isArray(value) ? value.join('\n') : value;
  }
}

function monthBody({ entries }, format) {
  const { paidInCents, paidOutCents, balanceCents } = summaryOf(entries);
  const body = document.createElement('tbody');
  entries.forEach((entry, index) => {
    const sameDay = entries[index - 1]?.bookedOn === entry.bookedOn;
    const row = addRow(body, [
      format.day(entry.bookedOn),
      entry.text,
      entry.reference,
      entry.amountCents < 0 ? format.amount(-entry.amountCents) : '',
      entry.amountCents >= 0 ? format.amount(entry.amountCents) : '',
      format.amount(entry.balanceCents),
    ]);
    row.classList.toggle('same-day', sameDay);
  });
  const subtotal = addRow(body, [
    format.month(entries[0].bookedOn),
    '',
    `${format.count(entries.length)} entries`,
    format.amount(paidOutCents),
    format.amount(paidInCents),
    format.amount(balanceCents),
  ]);
  subtotal.className = 'subtotal';
  subtotal.cells[0].colSpan = 2;
  subtotal.cells[1].remove();
  return body;
}

function balanceBody(label, cents, format) {
  const body = document.createElement('tbody');
  addRow(body, ['', label, '', '', '', format.amount(cents)]).className = 'balance';
  return body;
}

function addRow(body, texts) {
  const row = body.insertRow();
  for (const text of texts) row.insertCell().textContent = text;
  return row;
}

/** Layout asks for the fonts of text written by script; only then is `fonts.ready` worth awaiting. */
async function fontsOfTheText() {
  document.body.getBoundingClientRect();
  await document.fonts.ready;
}
