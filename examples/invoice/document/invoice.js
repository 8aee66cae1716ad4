// Fills index.html from the payload. Money is counted in integer cents and turned into text last.

/** The renderer waits for this promise; a rejection fails the job with its message. */
window.renderReady = main();

async function main() {
  const invoice = readInvoice(await readPayload());
  document.documentElement.lang = invoice.locale;
  document.title = `Invoice ${invoice.invoice.number} · ${invoice.seller.name}`; // the footer prints it
  fill(document.body, invoice);
  addRows('items', 'item-row', invoice.items);
  addRows('totals', 'total-row', invoice.totals.rows);
  await fontsOfTheText();
}

async function readPayload() {
  const response = await fetch('/__payload');
  if (!response.ok) throw new Error(`The payload could not be read (HTTP ${response.status}).`);
  const payload = await response.json();
  if (!Array.isArray(payload?.items)) throw new Error('The payload must be an invoice with "items".');
  return payload;
}

/** The payload with every date and amount as text, as the fields of index.html name them. */
function readInvoice(payload) {
  const { locale = 'en', currency, invoice } = payload;
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });

  const { netCents, taxes, grossCents } = totalsOf(payload.items);
  return {
    ...payload,
    locale,
    invoice: {
      ...invoice,
      issuedOn: date.format(new Date(invoice.issuedOn)),
      dueOn: date.format(new Date(invoice.dueOn)),
    },
    items: payload.items.map((item) => ({
      ...item,
      quantity: quantity.format(item.quantity),
      unitPrice: plain.format(item.unitPriceCents / 100),
      taxPercent: `${item.taxPercent} %`,
      amount: plain.format(amountCents(item) / 100),
    })),
    totals: {
      gross: money.format(grossCents / 100),
      rows: [
        { label: 'Net amount', amount: plain.format(netCents / 100) },
        ...taxes.map(({ percent, baseCents, taxCents }) => ({
          label: `VAT ${percent} % on ${plain.format(baseCents / 100)}`,
          amount: plain.format(taxCents / 100),
        })),
        { label: 'Total', amount: money.format(grossCents / 100) },
      ],
    },
  };
}

function amountCents(item) {
  return Math.round(item.quantity * item.unitPriceCents);
}

/** Tax is rounded once for each rate, not for each item, so that the sum agrees with the tax office's. */
function totalsOf(items) {
  const baseByPercent = new Map();
  for (const item of items) {
    baseByPercent.set(item.taxPercent, (baseByPercent.get(item.taxPercent) ?? 0) + amountCents(item));
  }
  const taxes = [...baseByPercent]
    .sort(([a], [b]) => b - a)
    .map(([percent, baseCents]) => ({ percent, baseCents, taxCents: Math.round((baseCents * percent) / 100) }));
  const netCents = taxes.reduce((sum, tax) => sum + tax.baseCents, 0);
  const grossCents = taxes.reduce((sum, tax) => sum + tax.taxCents, netCents);
  return { netCents, taxes, grossCents };
}

/** Writes values into the elements that name them, e.g. `data-field="seller.bank.iban"`. Lists become lines. */
function fill(root, values) {
  for (const element of root.querySelectorAll('[data-field]')) {
    const path = element.dataset.field;
    const value = path.split('.').reduce((inner, key) => inner?.[key], values);
    if (value === undefined) throw new Error(`The payload has no "${path}".`);
    element.textContent = Array.isArray(value) ? value.join('\n') : value;
  }
}

function addRows(bodyId, templateId, rows) {
  const template = document.getElementById(templateId);
  const filled = rows.map((row) => {
    const copy = template.content.cloneNode(true);
    fill(copy, row);
    return copy;
  });
  document.getElementById(bodyId).append(...filled);
}

/** Layout asks for the fonts of text written by script; only then is `fonts.ready` worth awaiting. */
async function fontsOfTheText() {
  document.body.getBoundingClientRect();
  await document.fonts.ready;
}
