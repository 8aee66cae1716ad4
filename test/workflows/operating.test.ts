import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { type Rig, startRig } from './workflow-fixture.ts';

const documentation = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');

/** The blocks of one language. */
const blocksOf = (language: string): string[] =>
  [...documentation.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, text]) => text?.trim() ?? '',
  );

describe('the queries of docs/operating.md', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
    await rig.until(await rig.post(), 'succeeded');
  });
  after(() => rig[Symbol.asyncDispose]());

  for (const query of blocksOf('sql'))
    it(`are taken by PostgreSQL: ${query.slice(0, 60)}…`, async () => {
      await rig.store.sql.unsafe(query);
    });

  for (const query of blocksOf('temporal').flatMap((block) => block.split('\n')))
    it(`are taken by Temporal: ${query}`, async () => {
      const { count } = await rig.temporal.workflow.count(query);
      expect(count).to.be.a('number');
    });
});
