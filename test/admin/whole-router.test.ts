import { basename, dirname } from 'node:path';
import { expect } from 'chai';
import { codesOfAdmin } from '../support/codes.ts';
import { refusedWith } from './rig.ts';

/** The last of its folder, and needs the others: `npm test -- test/admin`. */
describe('the whole admin router', () => {
  it('is looked at after all other suites of this folder have run', function () {
    const suites = this.test?.parent?.parent?.suites ?? [];
    const files = suites
      .map(({ file = '' }) => file)
      .filter((file) => dirname(file) === import.meta.dirname);
    expect(basename(files.at(-1) ?? '')).to.equal(basename(import.meta.filename));
  });

  for (const code of codesOfAdmin)
    it(`has refused with ${code}`, () => {
      expect([...refusedWith]).to.include(code);
    });
});
