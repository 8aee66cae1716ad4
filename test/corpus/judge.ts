import { compare, type Difference, findMissing } from './compare.ts';
import type { CorpusDocument } from './document.ts';
import { readPdf } from './pdf-contents.ts';
import type { PrintedDocument, Printer } from './printer.ts';
import { type Site, siteOf } from './site.ts';

/** Result of one document. */
export interface Outcome {
  readonly verdict: 'same' | 'differs with a reason' | 'failed';
  /** One item for each difference and failure. Known differences are given with their reason. */
  readonly findings: readonly string[];
  readonly service?: PrintedDocument;
  readonly reference?: PrintedDocument;
}

/** A document with a request that never ends must be printed within this time after it is ready. */
const endlessLimitMs = 2_500;

/** Prints a document with the service and with the reference, and compares the two PDFs. */
export async function judge(
  document: CorpusDocument,
  service: Printer,
  reference: Printer,
): Promise<Outcome> {
  const site = await siteOf(document);
  const printed = await tryToPrint(service, document, site);
  const expected = await tryToPrint(reference, document, site);
  if (expected instanceof Error)
    return failed(`the reference was not printed: ${expected.message}`);
  const expectedPdf = await readPdf(expected.pdf);
  const missingInReference = findMissing(document.expect, expectedPdf);
  if (missingInReference) return failed(`the reference lacks ${missingInReference}`);
  if (printed instanceof Error)
    return toOutcome(document, [{ aspect: 'failure', detail: printed.message }], {
      reference: expected,
    });
  const pdf = await readPdf(printed.pdf);
  const missing = findMissing(document.expect, pdf);
  const differences: Difference[] = [
    ...(missing ? [{ aspect: 'text' as const, detail: `lacks ${missing}` }] : []),
    ...compare(document, pdf, expectedPdf),
  ];
  const outcome = toOutcome(document, differences, { service: printed, reference: expected });
  const late = describeLateness(document, printed);
  return late ? { ...outcome, verdict: 'failed', findings: [late, ...outcome.findings] } : outcome;
}

/** Prints a document with the service only. Returns the reason why the print is wrong; undefined if it is right. */
export async function findFlaw(
  document: CorpusDocument,
  service: Printer,
): Promise<string | undefined> {
  const printed = await tryToPrint(service, document, await siteOf(document));
  if (printed instanceof Error) return printed.message;
  const missing = findMissing(document.expect, await readPdf(printed.pdf));
  return missing ? `lacks ${missing}` : describeLateness(document, printed);
}

const tryToPrint = (
  printer: Printer,
  document: CorpusDocument,
  site: Site,
): Promise<PrintedDocument | Error> =>
  printer.print(document, site).catch((error: unknown) => {
    return error instanceof Error ? error : new Error(String(error));
  });

const failed = (finding: string): Outcome => ({ verdict: 'failed', findings: [finding] });

/** Known differences of the document are not a failure. */
function toOutcome(
  { knownDifferences = [] }: CorpusDocument,
  differences: readonly Difference[],
  prints: Pick<Outcome, 'service' | 'reference'>,
): Outcome {
  const findings = differences.map(({ aspect, detail }) => {
    const known = knownDifferences.find((one) => one.aspect === aspect);
    return { known, text: `${aspect}: ${detail}${known ? ` (${known.reason})` : ''}` };
  });
  const verdict = findings.some(({ known }) => !known)
    ? 'failed'
    : findings.length > 0
      ? 'differs with a reason'
      : 'same';
  return { verdict, findings: findings.map(({ text }) => text), ...prints };
}

/** Returns undefined for a document that was printed in time. */
function describeLateness(
  { endless }: CorpusDocument,
  { elapsedMs, sinceReadyMs = elapsedMs }: PrintedDocument,
): string | undefined {
  if (!endless || sinceReadyMs <= endlessLimitMs) return undefined;
  return `printed ${Math.round(sinceReadyMs)} ms after it was ready, not within ${endlessLimitMs}`;
}
