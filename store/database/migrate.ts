import { readdir, readFile } from 'node:fs/promises';
import type { Sql } from './connection.ts';
import { takeAdvisoryLock } from './transactions.ts';

const folder = new URL('./migrations/', import.meta.url);

/** Applies the numbered migrations that the database has not seen, all in one transaction, one process at a time. */
export async function migrate(sql: Sql): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  await sql.begin(async (tx) => {
    // Of a large table a migration takes as long as it takes, and whoever waits for it.
    await tx`set local statement_timeout = 0`;
    // The others wait, and then find nothing to do.
    await takeAdvisoryLock(tx, 'migration');
    await tx`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`;
    const applied = new Set(
      (await tx<{ name: string }[]>`select name from schema_migrations`).map(({ name }) => name),
    );
    for (const name of files.filter((file) => !applied.has(file))) {
      await tx.unsafe(await readFile(new URL(name, folder), 'utf8'));
      await tx`insert into schema_migrations (name) values (${name})`;
    }
  });
}
