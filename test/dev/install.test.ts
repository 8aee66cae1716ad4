import { expect } from 'chai';
import { runStep } from '../../dev/install/progress.mjs';
import { tryWays } from '../../dev/install/try-ways.mjs';

/** Runs `work` and returns the lines that it printed, and its result or error. */
async function capture(work: () => Promise<string>) {
  const lines: string[] = [];
  const { log } = console;
  const { write } = process.stdout;
  console.log = (line: string) => void lines.push(line);
  process.stdout.write = (text: string | Uint8Array) => Boolean(lines.push(String(text).trimEnd()));
  try {
    const result = await work().catch((error: Error) => error);
    return { lines, result };
  } finally {
    console.log = log;
    process.stdout.write = write;
  }
}

const downloadThatFails = {
  name: 'a download',
  failure: 'The tool could not be downloaded',
  install: async () => {
    const script = `
      console.error('Error: getaddrinfo ENOTFOUND files.example.com');
      console.error('    at somewhere (node:internal/dns/promises:99:17)');
      process.exit(1);`;
    const command = { command: process.execPath, args: ['-e', script], timeoutMs: 10_000 };
    await runStep({ ...command, title: 'download the tool', isOptional: true });
    return '/never';
  },
};
const fetchThatFails = {
  name: 'another address',
  failure: 'The tool could not be fetched',
  install: async (): Promise<string> => {
    throw new Error('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') });
  },
};
const packageThatWorks = {
  name: 'a package',
  failure: 'The tool could not be installed from a package',
  install: async () => '/usr/bin/tool',
};

describe('installing what npm start needs', () => {
  it('prints one line for each way that fails, and goes on', async () => {
    const ways = [downloadThatFails, fetchThatFails, packageThatWorks];
    const { lines, result } = await capture(() => tryWays(ways, 'help'));
    expect(result).to.equal('/usr/bin/tool');
    expect(lines).to.deep.equal([
      '  download the tool: 0 s',
      '  The tool could not be downloaded (ENOTFOUND files.example.com); trying another address',
      '  The tool could not be fetched (ECONNREFUSED 127.0.0.1:9); trying a package',
    ]);
  });

  it('shows the whole output of each way, and then what to do, only when all have failed', async () => {
    const ways = [downloadThatFails, fetchThatFails];
    const { lines, result } = await capture(() => tryWays(ways, 'Install the tool.'));
    expect(lines.at(-1)).to.equal('  The tool could not be fetched (ECONNREFUSED 127.0.0.1:9)');
    const { message } = result as Error;
    expect(message).to.include('at somewhere (node:internal/dns/promises:99:17)');
    expect(message).to.include('connect ECONNREFUSED 127.0.0.1:9');
    expect(message).to.match(/\nInstall the tool\.$/);
  });
});
