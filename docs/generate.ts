import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { environmentSchema } from '../config/environment.ts';
import { errors } from '../contracts/errors.ts';

/** The pages of docs/ that are made from the code. `npm run docs` writes them, and a test checks that they are current. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'configuration.md': describeConfiguration,
  'errors.md': describeErrors,
};

const notice = (source: string): string =>
  `<!-- Made from ${source} by \`npm run docs\`: change it there. -->\n`;

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
    const initialText = required.includes(name) ? '**required**' : toCode(initial);
    return `| \`${name}\` | ${initialText} | ${description} |`;
  });
  return [
    '# Configuration',
    '',
    notice('config/environment.ts'),
    'The API and the worker read these environment variables once, when they start. If one is wrong, the process names it and ends.',
    'Durations take `ms`, `s`, `m` or `h`. With `npm start` all variables are optional: it starts or creates what is missing.',
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
      `| \`${code}\` | ${describeStatus(status, endsJobs)} | ${retryable ? 'yes' : 'no'} | ${message} |`,
  );
  return [
    '# Errors',
    '',
    notice('contracts/errors.ts'),
    'The body of every error is `{ "error": code, "message": sentence }`. A code with status *job* is the `errorCode` of a failed',
    'job. Some codes are both. *Retry* says if the same call, unchanged, can succeed later.',
    '',
    '| code | status | retry | what it means and what to do |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Lists where a code appears: in answers of that status, as the `errorCode` of a job, or both. */
const describeStatus = (status: number | null, endsJobs: boolean): string =>
  [...(status === null ? [] : [status]), ...(endsJobs ? ['job'] : [])].join(', ');

const toCode = (value: unknown): string =>
  value === undefined || value === ''
    ? ''
    : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

if (import.meta.main)
  for (const [page, describe] of Object.entries(generatedPages))
    await writeFile(new URL(page, import.meta.url), describe());
