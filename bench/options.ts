import { parseArgs } from 'node:util';

export const exampleNames = ['invoice', 'report'] as const;
export type ExampleName = (typeof exampleNames)[number];

export interface BenchOptions {
  readonly documents: readonly ExampleName[];
  /** How often each way is measured; every other round goes backwards, so that no way is always the first. */
  readonly rounds: number;
  /** Jobs that are queued at once in one round. */
  readonly jobsOf: Readonly<Record<ExampleName, number>>;
  /** The engines of the renderer are compared, without the service. */
  readonly engines: boolean;
}

/** A 24-page report takes three to four times as long as an invoice: fewer of them tell as much. */
const defaultJobs = { invoice: 40, report: 14 };
const defaultRounds = 5;
const quickJobs = { invoice: 20, report: 10 };
const quickRounds = 2;

const usage =
  'npm run bench -- [--document invoice|report] [--rounds n] [--jobs n] [--quick] [--engines]';

/** @throws Error that says what is wrong, and the usage */
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
  const jobs = values.jobs === undefined ? undefined : positive('--jobs', values.jobs);
  const usualJobs = values.quick ? quickJobs : defaultJobs;
  const usualRounds = values.quick ? quickRounds : defaultRounds;
  return {
    documents: values.document === undefined ? exampleNames : [exampleName(values.document)],
    rounds: values.rounds === undefined ? usualRounds : positive('--rounds', values.rounds),
    jobsOf: jobs === undefined ? usualJobs : { invoice: jobs, report: jobs },
    engines: values.engines,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${name} is a whole number above 0.\n${usage}`);
  return value;
}

function exampleName(text: string): ExampleName {
  const found = exampleNames.find((name) => name === text);
  if (!found) throw new Error(`--document is one of ${exampleNames.join(', ')}.\n${usage}`);
  return found;
}
