import { expect } from 'chai';
import { useDatabase } from './store-fixture.ts';

describe('the schema', () => {
  const database = useDatabase();

  it('has the same collation for a foreign key and its target, so that joins use the index', async () => {
    const rows = await database().sql`
      select c.conrelid::regclass::text as table_name, a.attname as column_name
      from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
        join pg_attribute f on f.attrelid = c.confrelid and f.attnum = any(c.confkey)
      where c.contype = 'f' and array_length(c.conkey, 1) = 1 and a.attcollation <> f.attcollation`;
    expect([...rows]).to.deep.equal([]);
  });
});
