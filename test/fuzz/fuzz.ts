// `npm run fuzz`: schemathesis against the service, by its own OpenAPI document. Every operation is called with what the
// document allows and with what it does not, alone and in sequences, and every answer is held against the document.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Stack, startStack } from '../../bench/stack.ts';
import { createClient } from '../../client/client.ts';
import { listenForStop } from '../../dev/launcher/stop-signals.ts';
import { ensureSchemathesis } from './install-schemathesis.ts';
import { seed } from './seed.ts';

async function main(): Promise<void> {
  // Asked twice, nothing is waited for any more.
  using stop = listenForStop(() => process.exit(130));
  const schemathesis = await ensureSchemathesis();
  console.log('  starting PostgreSQL, Azurite, Temporal, the API and a worker');
  // Most of what is asked fails as it should, and workers warn of each document that they cannot print.
  await using stack = await startStack({ LOG_LEVEL: 'error' });
  const configuration = await configure(stack);
  if (stop.signal.aborted) return;
  // What follows on the command line is schemathesis' own, such as --phases=stateful or --seed=1.
  const args = ['--config-file', configuration, 'run', ...process.argv.slice(2)];
  const child = spawn(schemathesis, [...args, `${stack.baseUrl}/openapi.json`], {
    cwd: stack.folder,
    stdio: 'inherit',
  });
  stop.signal.addEventListener('abort', () => child.kill('SIGINT'));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}

/** Makes two workspaces, fills one, and writes our configuration with its ids and their keys; returns the file. */
async function configure(stack: Stack): Promise<string> {
  const [owner, stranger] = [await stack.createApiKey(), await stack.createApiKey()];
  const client = createClient({ baseUrl: stack.baseUrl, apiKey: owner });
  const [kept, doomed] = [await seed(client, 'kept'), await seed(client, 'doomed')];
  const authFile = join(stack.folder, 'keys.json');
  await writeFile(
    authFile,
    JSON.stringify({ auth: [asUser('owner', owner), asUser('stranger', stranger)] }),
  );

  const values = new Map([
    ['authFile', authFile],
    ...prefixed('kept', kept),
    ...prefixed('doomed', doomed),
  ]);
  const text = await readFile(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
  const file = join(stack.folder, 'schemathesis.toml');
  await writeFile(
    file,
    text.replaceAll(/\$\{([\w.]+)\}/g, (_, name) => values.get(name) ?? ''),
  );
  return file;
}

const prefixed = (prefix: string, values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value] as const);

/** As Web Fuzzing Commons writes it. */
const asUser = (name: string, apiKey: string) => ({
  name,
  fixedHeaders: [{ name: 'Authorization', value: `Bearer ${apiKey}` }],
});

await main();
