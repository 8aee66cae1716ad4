import { expect } from 'chai';
import { adminRouter } from '../../api/admin/router.ts';
import { codesOfAdmin } from '../support/codes.ts';
import { describeAfterFolder } from '../support/whole-folder.ts';
import { refusalCodes, useAdmin } from './admin-fixture.ts';

/** Mutations that change nothing: they write no audit entry. */
const unaudited = new Set(['invitations.preview', 'outputs.link', 'pdfs.link']);

const changes = Object.entries(adminRouter._def.procedures as object)
  .filter(([path, { _def }]) => _def.type === 'mutation' && !unaudited.has(path))
  .map(([path]) => path);

/** Compares what the suites of this folder did with what the router declares. */
describeAfterFolder('the whole admin router', import.meta.filename, () => {
  const admin = useAdmin();
  const loggedActions = new Set<string>();
  before(async () => {
    const entries = await admin().service.database.sql<{ action: string }[]>`
      select distinct action from audit_log`;
    for (const { action } of entries) loggedActions.add(action);
  });

  for (const path of changes)
    it(`has logged ${path} in the audit log`, () => {
      expect([...loggedActions]).to.include(path);
    });

  it('logs no mutation that changes nothing', () => {
    expect([...loggedActions]).to.not.have.any.members([...unaudited]);
  });

  for (const code of codesOfAdmin)
    it(`has refused a call with ${code}`, () => {
      expect([...refusalCodes]).to.include(code);
    });
});
