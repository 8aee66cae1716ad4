import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { generatedPages } from '../../docs/generate.ts';

describe('documentation that is made from the code', () => {
  for (const [page, describePage] of Object.entries(generatedPages))
    it(`is current: docs/${page} (else run \`npm run docs\`)`, async () => {
      const written = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
      expect(written).to.equal(describePage());
    });
});
