import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { environmentSchema } from '../config/environment.ts';
import { errors } from '../contracts/errors.ts';
import { updateDecisionLists } from './decision-lists.ts';

/**
 * The pages of docs/ that are generated, wholly or in part. `npm run docs` writes them, and a test fails when one of them is
 * out of date.
 */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'configuration.md': describeConfiguration,
  'errors.md': describeErrors,
  'decisions.md': () =>
    updateDecisionLists(readFileSync(new URL('decisions.md', import.meta.url), 'utf8')),
};

const notice = (source: string): string =>
  `<!-- Generated from ${source} by \`npm run docs\`: edit that file instead. -->\n`;

function describeConfiguration(): string {
  const { properties = {}, required = [] } = z.toJSONSchema(environmentSchema, {
    io: 'input',
    unrepresentable: 'any',
  });
  const rows = Object.entries(properties).map(([name, property]) => {
    const { description = '', default: initial } = property as {
      description?: string;
      default?: unknown;
    };
    const defaultValue = required.includes(name) ? '**required**' : toCode(initial);
    return `| \`${name}\` | ${defaultValue} | ${description} |`;
  });
  return [
    '# Configuration',
    '',
    notice('config/environment.ts'),
    'The API and the worker read these environment variables once, when they start. If one is wrong, the process names it and ends.',
    'Durations take `ms`, `s`, `m` or `h`. With `npm start` all are optional: it starts or creates what you leave out.',
    '',
    '| variable | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function describeErrors(): string {
  const rows = Object.entries(errors).map(
    ([code, { status, endsJobs, retryable, message }]) =>
      `| \`${code}\` | ${carriers(status, endsJobs)} | ${retryable ? 'yes' : 'no'} | ${message} |`,
  );
  return [
    '# Errors',
    '',
    notice('contracts/errors.ts'),
    'The body of every error is `{ "error": code, "message": sentence }`. A code with status *job* is the `errorCode` of a failed',
    'job; some codes are both. *Retry* says if the same call, unchanged, can succeed later.',
    '',
    '| code | status | retry | what it means and what to do |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Returns where a code appears: the status of its answers, `job` for the `errorCode` of a job, or both. */
const carriers = (status: number | null, endsJobs: boolean): string =>
  [...(status === null ? [] : [status]), ...(endsJobs ? ['job'] : [])].join(', ');

const toCode = (value: unknown): string =>
  value === undefined || value === ''
    ? ''
    : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

if (import.meta.main)
  for (const [page, describe] of Object.entries(generatedPages))
    await writeFile(new URL(page, import.meta.url), describe());
