import { basename, dirname } from 'node:path';
import { expect } from 'chai';
import { adminRouter } from '../../api/admin/router.ts';
import { codesOfAdmin } from '../support/codes.ts';
import { refusedWith, useAdmin } from './admin-fixture.ts';

/** Mutations that only make or read something that is kept nowhere. */
const changesNothing = new Set(['invitations.preview', 'outputs.link', 'pdfs.link']);

const changes = Object.entries(adminRouter._def.procedures as object)
  .filter(([path, { _def }]) => _def.type === 'mutation' && !changesNothing.has(path))
  .map(([path]) => path);

/** The last of its folder, and needs the others: `npm test -- test/admin`. */
describe('the whole admin router', () => {
  const admin = useAdmin();
  const writtenDown = new Set<string>();
  before(async () => {
    const entries = await admin().service.database.sql<{ action: string }[]>`
      select distinct action from audit_log`;
    for (const { action } of entries) writtenDown.add(action);
  });

  it('is looked at after all other suites of this folder have run', function () {
    const suites = this.test?.parent?.parent?.suites ?? [];
    const files = suites
      .map(({ file = '' }) => file)
      .filter((file) => dirname(file) === import.meta.dirname);
    expect(basename(files.at(-1) ?? '')).to.equal(basename(import.meta.filename));
  });

  for (const path of changes)
    it(`has written down ${path}`, () => {
      expect([...writtenDown]).to.include(path);
    });

  it('writes down nothing that changes nothing', () => {
    expect([...writtenDown]).to.not.have.any.members([...changesNothing]);
  });

  for (const code of codesOfAdmin)
    it(`has refused with ${code}`, () => {
      expect([...refusedWith]).to.include(code);
    });
});
