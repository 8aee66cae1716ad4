import { basename, dirname } from 'node:path';
import { expect } from 'chai';
import { adminRouter } from '../../api/admin/router.ts';
import { codesOfAdmin } from '../support/codes.ts';
import { refusedWith, useAdmin } from './admin-fixture.ts';

/** Mutations that store nothing, so that they write no audit entry. */
const unaudited = new Set(['invitations.preview', 'outputs.link', 'pdfs.link']);

const changes = Object.entries(adminRouter._def.procedures as object)
  .filter(([path, { _def }]) => _def.type === 'mutation' && !unaudited.has(path))
  .map(([path]) => path);

/** Runs last in its folder and needs the other suites: `npm test -- test/admin`. */
describe('the whole admin router', () => {
  const admin = useAdmin();
  const audited = new Set<string>();
  before(async () => {
    const entries = await admin().service.database.sql<{ action: string }[]>`
      select distinct action from audit_log`;
    for (const { action } of entries) audited.add(action);
  });

  it('is checked after all other suites of this folder', function () {
    const suites = this.test?.parent?.parent?.suites ?? [];
    const files = suites
      .map(({ file = '' }) => file)
      .filter((file) => dirname(file) === import.meta.dirname);
    expect(basename(files.at(-1) ?? '')).to.equal(basename(import.meta.filename));
  });

  for (const path of changes)
    it(`has audit entries of ${path}`, () => {
      expect([...audited]).to.include(path);
    });

  it('has no audit entries of mutations that store nothing', () => {
    expect([...audited]).to.not.have.any.members([...unaudited]);
  });

  for (const code of codesOfAdmin)
    it(`has answered with ${code}`, () => {
      expect([...refusedWith]).to.include(code);
    });
});
