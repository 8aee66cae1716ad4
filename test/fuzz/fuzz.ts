// `npm run fuzz`: runs schemathesis against the service, with the service's OpenAPI document. It calls each operation with valid
// and invalid input, alone and in sequences, and checks each answer against the document.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Stack, startStack } from '../../bench/stack.ts';
import { createClient } from '../../client/client.ts';
import { listenForStop } from '../../dev/stop-signals.ts';
import { ensureSchemathesis } from './install-schemathesis.ts';
import { seed } from './seed.ts';

async function main(): Promise<void> {
  // A second signal ends the process at once.
  using stop = listenForStop(() => process.exit(130));
  const schemathesis = await ensureSchemathesis();
  console.log('  starting PostgreSQL, Azurite, Temporal, the API and a worker');
  // Most calls fail, as they should. Workers would log a warning for each document that they cannot print.
  await using stack = await startStack({ LOG_LEVEL: 'error' });
  const configuration = await configure(stack);
  if (stop.signal.aborted) return;
  // The arguments on the command line go to schemathesis, such as --phases=stateful or --seed=1.
  const args = ['--config-file', configuration, 'run', ...process.argv.slice(2)];
  const child = spawn(schemathesis, [...args, `${stack.baseUrl}/openapi.json`], {
    cwd: stack.folder,
    stdio: 'inherit',
  });
  stop.signal.addEventListener('abort', () => child.kill('SIGINT'));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}

/** Creates two workspaces, fills one, and writes a configuration with its ids and both API keys. Returns the path. */
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

/** The report format of Web Fuzzing Commons. */
const asUser = (name: string, apiKey: string) => ({
  name,
  fixedHeaders: [{ name: 'Authorization', value: `Bearer ${apiKey}` }],
});

await main();
