import { compare, type Difference, missing } from './compare.ts';
import type { CorpusDocument } from './document.ts';
import { readPdf } from './pdf-contents.ts';
import type { PrintedDocument, Printer } from './printer.ts';
import { type Site, siteOf } from './site.ts';

/** The result of one document. */
export interface Outcome {
  readonly verdict: 'same' | 'differs with a reason' | 'failed';
  /** Differences and failures. Differences that the document lists have their reason. */
  readonly findings: readonly string[];
  readonly service?: PrintedDocument;
  readonly reference?: PrintedDocument;
}

/** A document whose request never ends must be printed this soon after it is ready. */
const endlessLimitMs = 2_500;

/** Prints a document with the service and with the reference, and compares the PDFs. */
export async function judge(
  document: CorpusDocument,
  service: Printer,
  reference: Printer,
): Promise<Outcome> {
  const site = await siteOf(document);
  const printed = await attempt(service, document, site);
  const wanted = await attempt(reference, document, site);
  if (wanted instanceof Error) return failed(`the reference was not printed: ${wanted.message}`);
  const wantedPdf = await readPdf(wanted.pdf);
  const promised = missing(document.expect, wantedPdf);
  if (promised) return failed(`the reference lacks ${promised}`);
  if (printed instanceof Error)
    return settle(document, [{ what: 'failure', detail: printed.message }], { reference: wanted });
  const pdf = await readPdf(printed.pdf);
  const lost = missing(document.expect, pdf);
  const differences: Difference[] = [
    ...(lost ? [{ what: 'text' as const, detail: `lacks ${lost}` }] : []),
    ...compare(document, pdf, wantedPdf),
  ];
  const outcome = settle(document, differences, { service: printed, reference: wanted });
  const late = lateness(document, printed);
  return late ? { ...outcome, verdict: 'failed', findings: [late, ...outcome.findings] } : outcome;
}

/** Describes how a print of the service lacks what the document promises. Undefined if it lacks nothing. */
export async function flaw(
  document: CorpusDocument,
  service: Printer,
): Promise<string | undefined> {
  const printed = await attempt(service, document, await siteOf(document));
  if (printed instanceof Error) return printed.message;
  const lost = missing(document.expect, await readPdf(printed.pdf));
  return lost ? `lacks ${lost}` : lateness(document, printed);
}

const attempt = (
  printer: Printer,
  document: CorpusDocument,
  site: Site,
): Promise<PrintedDocument | Error> =>
  printer.print(document, site).catch((error: unknown) => {
    return error instanceof Error ? error : new Error(String(error));
  });

const failed = (finding: string): Outcome => ({ verdict: 'failed', findings: [finding] });

/** Differences that the document lists are not failures. */
function settle(
  { differs = [] }: CorpusDocument,
  differences: readonly Difference[],
  prints: Pick<Outcome, 'service' | 'reference'>,
): Outcome {
  const findings = differences.map(({ what, detail }) => {
    const known = differs.find((one) => one.what === what);
    return { known, text: `${what}: ${detail}${known ? ` (${known.reason})` : ''}` };
  });
  const verdict = findings.some(({ known }) => !known)
    ? 'failed'
    : findings.length > 0
      ? 'differs with a reason'
      : 'same';
  return { verdict, findings: findings.map(({ text }) => text), ...prints };
}

function lateness(
  { endless }: CorpusDocument,
  { elapsedMs, sinceReadyMs = elapsedMs }: PrintedDocument,
): string | undefined {
  if (!endless || sinceReadyMs <= endlessLimitMs) return undefined;
  return `printed ${Math.round(sinceReadyMs)} ms after it was ready, not within ${endlessLimitMs}`;
}
