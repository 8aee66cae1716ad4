import { median } from '../../bench/statistics.ts';
import type { CorpusDocument } from './document.ts';
import type { Outcome } from './judge.ts';

/** Formats the result of a document: verdict, name, times, and one line for each finding. */
export function formatOutcome(
  kind: string,
  { name }: CorpusDocument,
  { verdict, findings, service, reference }: Outcome,
): string {
  const head = [
    (verdict === 'differs with a reason' ? 'differs' : verdict).padEnd(8),
    `${kind}/${name}`.padEnd(44),
    `service ${formatMs(service?.elapsedMs)}, page.pdf() ${formatMs(reference?.elapsedMs)}`,
  ].join('  ');
  return [head, ...findings.map((finding) => `            ${finding}`)].join('\n');
}

const formatMs = (elapsedMs: number | undefined): string =>
  elapsedMs === undefined ? '-' : `${Math.round(elapsedMs)} ms`;

/** Formats the median times of both printers: for documents with `renderReady`, and for those without. */
export function formatMedians(
  outcomes: readonly { document: CorpusDocument; outcome: Outcome }[],
): string[] {
  return (['renderReady', 'nothing'] as const).flatMap((ready) => {
    const pairs = outcomes
      .filter(({ document }) => document.ready === ready)
      .flatMap(({ outcome: { service, reference } }) =>
        service && reference ? [[service.elapsedMs, reference.elapsedMs] as const] : [],
      );
    if (pairs.length === 0) return [];
    const group = ready === 'renderReady' ? 'with renderReady' : 'under networkidle';
    const ours = Math.round(median(pairs.map(([service]) => service)));
    const theirs = Math.round(median(pairs.map(([, reference]) => reference)));
    return `median of ${pairs.length} ${group}: service ${ours} ms, page.pdf() ${theirs} ms`;
  });
}

/** Formats the last line: `N documents: N same, N differing with a reason, N failed`. */
export function formatTotals(outcomes: readonly Outcome[]): string {
  const count = (verdict: Outcome['verdict']): number =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  return `${outcomes.length} documents: ${count('same')} same, ${count('differs with a reason')} differing with a reason, ${count('failed')} failed`;
}
