/**
 * `npm run fuzz`: runs schemathesis against the service, by its own OpenAPI document. It calls every operation with input that the
 * document allows and with input that it does not, alone and in sequences, and checks every answer against the document.
 */
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
  // A second request to stop ends the process at once.
  using stop = listenForStop(() => process.exit(130));
  const schemathesis = await ensureSchemathesis();
  console.log('  starting PostgreSQL, Azurite, Temporal, the API and a worker');
  // Most requests fail as they should, and workers log a warning for each document that they cannot print.
  await using stack = await startStack({ LOG_LEVEL: 'error' });
  const configuration = await prepareSchemathesis(stack);
  if (stop.signal.aborted) return;
  // The arguments of the command line are options of schemathesis, such as --phases=stateful or --seed=1.
  const args = ['--config-file', configuration, 'run', ...process.argv.slice(2)];
  const child = spawn(schemathesis, [...args, `${stack.baseUrl}/openapi.json`], {
    cwd: stack.folder,
    stdio: 'inherit',
  });
  stop.signal.addEventListener('abort', () => child.kill('SIGINT'));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}

/**
 * Creates two workspaces and fills the first. Writes the keys of both to a file, and the configuration of schemathesis with the path of
 * that file and the ids in the first workspace. Returns the path of the configuration.
 */
async function prepareSchemathesis(stack: Stack): Promise<string> {
  const [owner, stranger] = [await stack.createWorkspaceKey(), await stack.createWorkspaceKey()];
  const client = createClient({ baseUrl: stack.baseUrl, apiKey: owner });
  const [kept, deletable] = [await seed(client, 'kept'), await seed(client, 'deletable')];
  const authFile = join(stack.folder, 'keys.json');
  await writeFile(
    authFile,
    JSON.stringify({ auth: [asUser('owner', owner), asUser('stranger', stranger)] }),
  );

  const values = new Map([
    ['authFile', authFile],
    ...prefixed('kept', kept),
    ...prefixed('deletable', deletable),
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

/** Describes a user in the format of Web Fuzzing Commons. */
const asUser = (name: string, apiKey: string) => ({
  name,
  fixedHeaders: [{ name: 'Authorization', value: `Bearer ${apiKey}` }],
});

await main();
