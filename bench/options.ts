import { parseArgs } from 'node:util';

export const exampleNames = ['invoice', 'report'] as const;
export type ExampleName = (typeof exampleNames)[number];

export interface BenchOptions {
  readonly documents: readonly ExampleName[];
  /** How often each way is measured. Every other round is in reverse order, so that no way is always the first. */
  readonly rounds: number;
  /** How many times each way prints the document in one round. Ways that print one at a time print half as many. */
  readonly jobsOf: Readonly<Record<ExampleName, number>>;
  /** Compares the engines of the renderer, without the service. */
  readonly engines: boolean;
}

/** A 24-page report takes three to four times as long as an invoice, so fewer of them are enough. */
const defaultJobs = { invoice: 40, report: 14 };
const defaultRounds = 5;
const quickJobs = { invoice: 20, report: 10 };
const quickRounds = 2;

const usage =
  'npm run bench -- [--document invoice|report] [--rounds n] [--jobs n] [--quick] [--engines]';

/**
 * Reads the options from the command line.
 *
 * @throws Error that says what is wrong, and the usage
 */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      document: { type: 'string' },
      rounds: { type: 'string' },
      jobs: { type: 'string' },
      quick: { type: 'boolean', default: false },
      engines: { type: 'boolean', default: false },
    },
  });
  const jobs = values.jobs === undefined ? undefined : parsePositive('--jobs', values.jobs);
  const usualJobs = values.quick ? quickJobs : defaultJobs;
  const usualRounds = values.quick ? quickRounds : defaultRounds;
  return {
    documents: values.document === undefined ? exampleNames : [parseExampleName(values.document)],
    rounds: values.rounds === undefined ? usualRounds : parsePositive('--rounds', values.rounds),
    jobsOf: jobs === undefined ? usualJobs : { invoice: jobs, report: jobs },
    engines: values.engines,
  };
}

function parsePositive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${name} must be a whole number above 0.\n${usage}`);
  return value;
}

function parseExampleName(text: string): ExampleName {
  const found = exampleNames.find((name) => name === text);
  if (!found) throw new Error(`--document must be one of ${exampleNames.join(', ')}.\n${usage}`);
  return found;
}
