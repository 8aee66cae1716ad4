// The arithmetic of a statement, in integer cents.

/** The transactions with the balance after each; refuses a statement whose sums do not agree. */
export function bookEntries({ transactions, openingBalanceCents, closingBalanceCents }) {
  let balanceCents = openingBalanceCents;
  const entries = transactions.map((transaction, index) => {
    if (!Number.isInteger(transaction.amountCents)) {
      throw new Error(`Transaction ${index + 1} has no integer "amountCents".`);
    }
    balanceCents += transaction.amountCents;
    return { ...transaction, balanceCents };
  });
  if (balanceCents !== closingBalanceCents) {
    throw new Error(`The transactions end at ${balanceCents} cents, the payload says ${closingBalanceCents}.`);
  }
  return entries;
}

/** Entries in the order of the payload, one group for each run of days in the same month. */
export function byMonth(entries) {
  const months = [];
  for (const entry of entries) {
    const key = entry.bookedOn.slice(0, 7);
    if (months.at(-1)?.key !== key) months.push({ key, entries: [] });
    months.at(-1).entries.push(entry);
  }
  return months;
}

export function summaryOf(entries) {
  let paidInCents = 0;
  let paidOutCents = 0;
  for (const { amountCents } of entries) {
    if (amountCents < 0) paidOutCents -= amountCents;
    else paidInCents += amountCents;
  }
  return { paidInCents, paidOutCents, balanceCents: entries.at(-1)?.balanceCents };
}
