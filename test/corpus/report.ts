import type { CorpusDocument } from './document.ts';
import type { Outcome } from './judge.ts';

/** The line of a document: verdict, name, times and differences. */
export function lineOf(
  kind: string,
  { name }: CorpusDocument,
  { verdict, findings, service, reference }: Outcome,
): string {
  const head = [
    (verdict === 'differs with a reason' ? 'differs' : verdict).padEnd(8),
    `${kind}/${name}`.padEnd(44),
    `service ${msOf(service?.elapsedMs)}, page.pdf() ${msOf(reference?.elapsedMs)}`,
  ].join('  ');
  return [head, ...findings.map((finding) => `            ${finding}`)].join('\n');
}

const msOf = (elapsedMs: number | undefined): string =>
  elapsedMs === undefined ? '-' : `${Math.round(elapsedMs)} ms`;

/** Median times of both printers, for documents with and without `renderReady`. */
export function mediansOf(
  outcomes: readonly { document: CorpusDocument; outcome: Outcome }[],
): string[] {
  return (['renderReady', 'nothing'] as const).flatMap((ready) => {
    const pairs = outcomes
      .filter(({ document }) => document.ready === ready)
      .flatMap(({ outcome: { service, reference } }) =>
        service && reference ? [[service.elapsedMs, reference.elapsedMs] as const] : [],
      );
    if (pairs.length === 0) return [];
    const how = ready === 'renderReady' ? 'with renderReady' : 'under networkidle';
    const mine = Math.round(median(pairs.map(([service]) => service)));
    const theirs = Math.round(median(pairs.map(([, reference]) => reference)));
    return `median of ${pairs.length} ${how}: service ${mine} ms, page.pdf() ${theirs} ms`;
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** `N documents: N same, N differing with a reason, N failed`. */
export function closingLine(outcomes: readonly Outcome[]): string {
  const count = (verdict: Outcome['verdict']): number =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  return `${outcomes.length} documents: ${count('same')} same, ${count('differs with a reason')} differing with a reason, ${count('failed')} failed`;
}
