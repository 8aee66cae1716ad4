import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { useInProcessService } from './workflow-fixture.ts';

const documentation = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');

/** The code blocks of one language. */
const blocksOf = (language: string): string[] =>
  [...documentation.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, text]) => text?.trim() ?? '',
  );

describe('the queries of docs/operating.md', () => {
  const service = useInProcessService();
  before(async () => {
    await service().waitForStatus(await service().createJob(), 'succeeded');
  });

  for (const query of blocksOf('sql'))
    it(`are valid for PostgreSQL: ${query.slice(0, 60)}…`, async () => {
      await service().store.sql.unsafe(query);
    });

  for (const query of blocksOf('temporal').flatMap((block) => block.split('\n')))
    it(`are valid for Temporal: ${query}`, async () => {
      const { count } = await service().temporal.workflow.count(query);
      expect(count).to.be.a('number');
    });
});
