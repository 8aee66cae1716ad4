import { StepError } from './progress.mjs';

/**
 * One way to install something.
 * @typedef {object} Way
 * @property {string} name such as `apt`: the line before says that it is tried
 * @property {string} failure the start of the line that is printed when it fails: `The Temporal CLI could not be downloaded`
 * @property {() => Promise<string>} install returns the path of what was installed
 */

/** A system's error code and what follows it: `ENOTFOUND cdn.playwright.dev`. */
const systemErrorPattern = /\b(?:E[A-Z]{4,}|EAI_AGAIN)\b.*/;
/** The line in which most programs, and apt by `E:`, say what is wrong. */
const errorLinePattern = /^(?:Error|E|error|fatal|npm error): (.*)/m;

/**
 * Tries the ways in turn and returns the path from the first that succeeds. A failure prints one line.
 * @param {Way[]} ways
 * @param {string} help what a person can do when every way has failed
 * @returns {Promise<string>}
 * @throws {Error} when every way has failed: the full output of each, then `help`
 */
export async function tryWays(ways, help) {
  const outputs = [];
  for (const [index, { failure, install }] of ways.entries()) {
    try {
      return await install();
    } catch (error) {
      const next = ways[index + 1];
      console.log(`  ${failure} (${shortReason(error)})${next ? `; trying ${next.name}` : ''}`);
      outputs.push(`${failure}:\n${fullReason(error)}\n`);
    }
  }
  throw new Error(['', ...outputs, help].join('\n'));
}

/** @param {unknown} error */
function shortReason(error) {
  const text = error instanceof StepError ? error.output : fullReason(error);
  const [systemError] = systemErrorPattern.exec(text) ?? [];
  const [, errorLine] = errorLinePattern.exec(text) ?? [];
  const message = error instanceof Error ? error.message : String(error);
  return systemError ?? errorLine ?? message;
}

/**
 * The message, the messages of its causes (only they say why a `fetch` failed) and the output of a command.
 * @param {unknown} error
 * @returns {string}
 */
function fullReason(error) {
  if (!(error instanceof Error)) return String(error);
  const parts = [error.message];
  if (error instanceof StepError) parts.push(error.output);
  if (error.cause) parts.push(fullReason(error.cause));
  return parts.join('\n');
}
