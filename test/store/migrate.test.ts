import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { openDatabase } from '../../store/database.ts';
import { migrate } from '../../store/migrate.ts';
import { useDatabase } from './rig.ts';

const processes = 10;

describe('migrations', () => {
  const database = useDatabase();

  it(`are applied once when ${processes} processes start at once on an empty database`, async () => {
    const { sql, url } = database();
    await sql`drop schema public cascade`;
    await sql`create schema public`;
    const pools = Array.from({ length: processes }, () => openDatabase(url, 1));
    try {
      await Promise.all(pools.map(migrate));
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
    const applied = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
    const files = await readdir(new URL('../../store/migrations/', import.meta.url));
    expect(applied.map(({ name }) => name)).to.deep.equal(files.sort());
  });

  it('change nothing in a database that is up to date', async () => {
    const { sql } = database();
    const before = await sql`select * from schema_migrations`;
    await migrate(sql);
    expect(await sql`select * from schema_migrations`).to.deep.equal(before);
  });
});
