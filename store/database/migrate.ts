import { readdir, readFile } from 'node:fs/promises';
import { acquireAdvisoryLock } from './advisory-locks.ts';
import type { Sql } from './connection.ts';

const folder = new URL('./migrations/', import.meta.url);

/** Applies all new numbered migrations in one transaction. Only one process migrates at a time. */
export async function migrate(sql: Sql): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  await sql.begin(async (tx) => {
    // A migration of a large table may take minutes, and other processes wait for it, so there is no statement timeout.
    await tx`set local statement_timeout = 0`;
    // Other processes wait here and then find nothing to do.
    await acquireAdvisoryLock(tx, 'migration');
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
