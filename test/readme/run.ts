import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** Added to PATH and HOME. The command gets no other variables of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a command and returns how it ended; an exit code other than 0 is no error. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: RunOptions,
): Promise<Outcome> {
  const options = { cwd, env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } };
  try {
    return { code: 0, ...(await run(command, args, options)) };
  } catch (error) {
    const { code, stdout = '', stderr = '', message } = error as Partial<Outcome> & Error;
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr: stderr || message };
  }
}
