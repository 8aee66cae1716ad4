// `npm run corpus`: prints each document of the corpus with the service's renderer and with `page.pdf()`, and compares the PDFs.
//
//   --only charts,race-lodash    kinds, and parts of names
//   --repeat 20                  prints each document 20 times, with the service only, and counts the complete PDFs
//   --service                    uses the service at DRS_BASE_URL, over its REST API, with the key DRS_API_KEY
//   --reference                  uses page.pdf() for both: shows whether documents are correct and always print the same
//   --keep <folder>              writes the PDFs to this folder
//   --concurrency 2              prints two documents at once; compare times only at 1
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kinds } from './corpus.ts';
import type { CorpusDocument } from './document.ts';
import { installPackages } from './install.ts';
import { flaw, judge, type Outcome } from './judge.ts';
import type { Printer } from './printer.ts';
import { startReference } from './reference.ts';
import { startRendererPrinter } from './renderer-printer.ts';
import { closingLine, lineOf, mediansOf } from './report.ts';
import { servicePrinter } from './service-printer.ts';

interface Entry {
  readonly kind: string;
  readonly document: CorpusDocument;
}

const options = {
  only: { type: 'string' },
  repeat: { type: 'string' },
  service: { type: 'boolean', default: false },
  reference: { type: 'boolean', default: false },
  keep: { type: 'string' },
  concurrency: { type: 'string', default: '1' },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  const concurrency = Number(values.concurrency);
  const chosen = choose(values.only, values.service);
  for (const set of ['fast', 'full'] as const)
    if (set === 'fast' || chosen.some(({ document }) => document.set === set))
      await installPackages(set);
  await using service = await startPrinter(values, concurrency);
  const good = values.repeat
    ? await repeat(chosen, service, Number(values.repeat), concurrency)
    : await compareAll(chosen, service, concurrency, values.keep);
  if (!good) process.exitCode = 1;
}

async function startPrinter(
  { service, reference }: { service: boolean; reference: boolean },
  slots: number,
): Promise<Printer> {
  if (service) return servicePrinter();
  return reference ? await startReference() : await startRendererPrinter({ slots });
}

function choose(only: string | undefined, overRest: boolean): Entry[] {
  const words = only?.split(',') ?? [''];
  return kinds
    .flatMap(({ kind, documents }) => documents.map((document) => ({ kind, document })))
    .filter(({ kind, document }) =>
      words.some((word) => kind === word || document.name.includes(word)),
    )
    .filter(({ document }) => {
      // Over REST all files are deployed, so no request can be made to hang.
      if (!overRest || !document.endless) return true;
      console.log(`left out  ${document.name}: needs a request that never ends`);
      return false;
    });
}

/** Prints and compares each document once. Returns true when none failed. */
async function compareAll(
  entries: readonly Entry[],
  service: Printer,
  concurrency: number,
  keep: string | undefined,
): Promise<boolean> {
  await using reference = await startReference();
  const outcomes: { document: CorpusDocument; outcome: Outcome }[] = [];
  await eachOf(entries, concurrency, async ({ kind, document }) => {
    const outcome = await judge(document, service, reference);
    outcomes.push({ document, outcome });
    console.log(lineOf(kind, document, outcome));
    if (keep) await keepPdfs(keep, document, outcome);
  });
  for (const line of mediansOf(outcomes)) console.log(line);
  console.log(closingLine(outcomes.map(({ outcome }) => outcome)));
  return outcomes.every(({ outcome }) => outcome.verdict !== 'failed');
}

/** Prints each document several times with the service. Returns true when all PDFs are complete. */
async function repeat(
  entries: readonly Entry[],
  service: Printer,
  times: number,
  concurrency: number,
): Promise<boolean> {
  let allGood = true;
  await eachOf(entries, concurrency, async ({ kind, document }) => {
    const flaws: string[] = [];
    for (let time = 0; time < times; time++) {
      const found = await flaw(document, service);
      if (found !== undefined) flaws.push(found);
    }
    if (flaws.length > 0) allGood = false;
    const why = flaws.length > 0 ? `  ${[...new Set(flaws)].join('; ')}` : '';
    console.log(`${kind}/${document.name}: ${times - flaws.length} of ${times}${why}`);
  });
  return allGood;
}

async function eachOf<T>(
  items: readonly T[],
  concurrency: number,
  use: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const loop = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await use(item);
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
}

async function keepPdfs(
  folder: string,
  { name }: CorpusDocument,
  { service, reference }: Outcome,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (service) await writeFile(join(folder, `${name}.pdf`), service.pdf);
  if (reference) await writeFile(join(folder, `${name}.reference.pdf`), reference.pdf);
}

await main();
