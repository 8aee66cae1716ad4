import { randomUUID } from 'node:crypto';
import { openDatabase, type Sql } from '../../store/database/connection.ts';
import { migrate } from '../../store/database/migrate.ts';
import { requireEnv } from './environment.ts';

const poolSize = 10;

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly sql: Sql;
}

/** Creates a migrated database. Disposing of it drops it, with all its connections. */
export async function createDatabase(): Promise<TestDatabase> {
  const adminUrl = requireEnv('TEST_DATABASE_URL');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withAdmin(adminUrl, (admin) => admin`create database ${admin(name)}`);
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).toString();
  const sql = openDatabase(url, poolSize);
  await migrate(sql);
  return {
    url,
    sql,
    async [Symbol.asyncDispose]() {
      await sql.end();
      await withAdmin(adminUrl, (admin) => admin`drop database ${admin(name)} with (force)`);
    },
  };
}

async function withAdmin(url: string, run: (admin: Sql) => PromiseLike<unknown>): Promise<void> {
  const admin = openDatabase(url, 1);
  try {
    await run(admin);
  } finally {
    await admin.end();
  }
}
