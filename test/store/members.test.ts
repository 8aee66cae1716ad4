import { expect } from 'chai';
import type { MemberRole } from '../../contracts/admin/members.ts';
import { changePlan } from '../../store/change-plan.ts';
import type { Sql, Transaction } from '../../store/database/connection.ts';
import {
  acceptInvitation,
  acceptInvitationAsNewUser,
  createInvitation,
  revokeInvitation,
} from '../../store/people/invitations.ts';
import {
  addMember,
  changeMemberRole,
  listMembers,
  removeMember,
} from '../../store/people/members.ts';
import { createUser } from '../../store/people/users.ts';
import { createOwnedWorkspace } from '../../store/people/workspace-owners.ts';
import {
  getBillingEmail,
  listWorkspaces,
  setBillingEmail,
} from '../../store/workspaces/workspaces.ts';
import {
  codeOf,
  createTestWorkspace,
  inTransaction,
  noon,
  plans,
  useDatabase,
} from './store-fixture.ts';

const weekMs = 7 * 24 * 3_600_000;

let people = 0;

const createPerson = async (sql: Sql) => {
  const email = `person-${++people}@example.com`;
  const id = await inTransaction(sql, (tx) => createUser(tx, { name: 'Person', email }));
  return { id, email };
};

const joinWorkspace = (
  sql: Sql,
  workspaceId: string,
  userId: string,
  role: MemberRole = 'member',
) => inTransaction(sql, (tx) => addMember(tx, plans, { workspaceId, userId, role, now: noon }));

const invite = (sql: Sql, workspaceId: string, email: string, role: MemberRole = 'member') =>
  inTransaction(sql, (tx) =>
    createInvitation(tx, plans, { workspaceId, email, role, invitedBy: 'test', now: noon }),
  );

/** Starts several changes at once and returns how many succeed. The others must be refused with `code`. */
async function raceChanges(
  sql: Sql,
  changes: readonly ((tx: Transaction) => Promise<unknown>)[],
  code: string,
): Promise<number> {
  const outcomes = await Promise.all(
    changes.map((change) =>
      inTransaction(sql, change).then(
        () => 'made',
        (error: { code: string }) => error.code,
      ),
    ),
  );
  const made = outcomes.filter((outcome) => outcome === 'made').length;
  expect(outcomes.filter((outcome) => outcome === code)).to.have.lengthOf(outcomes.length - made);
  return made;
}

describe('members', () => {
  const database = useDatabase();
  const racers = 10;

  it('are never more than the plan allows, even if many accept at once', async () => {
    const { sql } = database();
    const { id: workspaceId } = await createTestWorkspace(sql, 'blank');
    const invited = await Promise.all(
      Array.from({ length: racers }, async () => {
        const user = await createPerson(sql);
        return { user, token: (await invite(sql, workspaceId, user.email)).token };
      }),
    );
    const accepted = await raceChanges(
      sql,
      invited.map(
        ({ user, token }) =>
          (tx) =>
            acceptInvitation(tx, plans, { token, user, now: noon }),
      ),
      'workspace_member_limit_exceeded',
    );
    expect(accepted).to.equal(3);
    expect(await listMembers(sql, workspaceId)).to.have.lengthOf(3);
    const late = invite(sql, workspaceId, 'late@example.com');
    expect(await codeOf(late)).to.equal('workspace_member_limit_exceeded');
  });

  it('always include an owner, even if several owners leave at once', async () => {
    const { sql } = database();
    const { id: workspaceId } = await createTestWorkspace(sql, 'pro');
    const owners = await Promise.all(Array.from({ length: racers }, () => createPerson(sql)));
    for (const { id } of owners) await joinWorkspace(sql, workspaceId, id, 'owner');
    const left = await raceChanges(
      sql,
      owners.map(
        ({ id: userId }, index) =>
          (tx) =>
            index % 2
              ? removeMember(tx, { workspaceId, userId })
              : changeMemberRole(tx, { workspaceId, userId, role: 'member' }),
      ),
      'workspace_needs_owner',
    );
    expect(left).to.equal(racers - 1);
    const remaining = await listMembers(sql, workspaceId);
    expect(remaining.filter(({ role }) => role === 'owner')).to.have.lengthOf(1);
  });

  it('own at most one workspace on the plan blank, even if they create many at once', async () => {
    const { sql } = database();
    const { id: ownerId } = await createPerson(sql);
    const create = (plan: string) => (tx: Transaction) =>
      createOwnedWorkspace(tx, { name: 'Mine', plan, ownerId, now: noon });
    const made = await raceChanges(
      sql,
      Array.from({ length: racers }, () => create('blank')),
      'workspace_blank_plan_limit_exceeded',
    );
    expect(made).to.equal(1);
    await inTransaction(sql, create('pro'));
  });

  it('own at most one workspace on the plan blank, in whichever way they get the second', async () => {
    const { sql } = database();
    const owner = await createPerson(sql);
    const ownWorkspace = (plan: string) =>
      inTransaction(sql, (tx) =>
        createOwnedWorkspace(tx, { name: 'Mine', plan, ownerId: owner.id, now: noon }),
      );
    await ownWorkspace('blank');
    const pro = await ownWorkspace('pro');
    const other = await createTestWorkspace(sql, 'blank');
    await joinWorkspace(sql, other.id, owner.id);
    const { token } = await invite(
      sql,
      (await createTestWorkspace(sql, 'blank')).id,
      owner.email,
      'owner',
    );
    const ways: ((tx: Transaction) => Promise<unknown>)[] = [
      (tx) => changePlan(tx, plans, { workspaceId: pro, plan: 'blank', now: noon }),
      (tx) => changeMemberRole(tx, { workspaceId: other.id, userId: owner.id, role: 'owner' }),
      (tx) => acceptInvitation(tx, plans, { token, user: owner, now: noon }),
    ];
    for (const way of ways)
      expect(await codeOf(inTransaction(sql, way))).to.equal('workspace_blank_plan_limit_exceeded');
    const owned = await listWorkspaces(
      sql,
      noCursors,
      { userId: owner.id, operator: false },
      { limit: 10 },
    );
    expect(owned.items.map(({ plan, role }) => [plan, role])).to.have.deep.members([
      ['blank', 'owner'],
      ['pro', 'owner'],
      ['blank', 'member'],
    ]);
  });
});

/** Cursors for a list that has one page. */
const noCursors = { encode: () => '', decode: () => undefined };

describe('an invitation', () => {
  const database = useDatabase();

  it('is accepted once, even by several users at once', async () => {
    const { sql } = database();
    const { id: workspaceId } = await createTestWorkspace(sql, 'pro');
    const { token } = await invite(sql, workspaceId, 'new@example.com');
    const accept = (tx: Transaction) =>
      acceptInvitationAsNewUser(tx, plans, { token, name: 'New', passwordHash: 'x', now: noon });
    expect(await raceChanges(sql, Array(5).fill(accept), 'invitation_not_found')).to.equal(1);
    expect((await listMembers(sql, workspaceId)).map(({ email }) => email)).to.deep.equal([
      'new@example.com',
    ]);
  });

  it('is not found by another user, after a week, or after it is revoked', async () => {
    const { sql } = database();
    const { id: workspaceId } = await createTestWorkspace(sql, 'pro');
    const [user, stranger] = [await createPerson(sql), await createPerson(sql)];
    const { token, invitation } = await invite(sql, workspaceId, user.email);
    const accept = (who: typeof user, now = noon) =>
      inTransaction(sql, (tx) => acceptInvitation(tx, plans, { token, user: who, now }));
    expect(await codeOf(accept(stranger))).to.equal('invitation_not_found');
    expect(await codeOf(accept(user, noon + weekMs))).to.equal('invitation_not_found');
    await revokeInvitation(sql, { workspaceId, invitationId: invitation.id, now: noon });
    expect(await codeOf(accept(user))).to.equal('invitation_not_found');
    expect(await listMembers(sql, workspaceId)).to.deep.equal([]);
  });

  it('writes nothing if it cannot be accepted', async () => {
    const { sql } = database();
    const { id: workspaceId } = await createTestWorkspace(sql, 'blank');
    const { token } = await invite(sql, workspaceId, 'full@example.com');
    for (let count = 0; count < 3; count++)
      await joinWorkspace(sql, workspaceId, (await createPerson(sql)).id);
    const call = { token, name: 'New', passwordHash: 'x', now: noon };
    const accept = () => inTransaction(sql, (tx) => acceptInvitationAsNewUser(tx, plans, call));
    expect(await codeOf(accept())).to.equal('workspace_member_limit_exceeded');
    expect(await sql`select 1 from users where email = 'full@example.com'`).to.have.lengthOf(0);
    await inTransaction(sql, (tx) =>
      changePlan(tx, plans, { workspaceId, plan: 'pro', now: noon }),
    );
    await accept();
  });
});

describe('billing', () => {
  const database = useDatabase();

  it('requires a billed plan, even if the plan changes at the same moment', async () => {
    const { sql } = database();
    const { id: workspaceId } = await createTestWorkspace(sql, 'blank');
    const set = () => setBillingEmail(sql, workspaceId, 'bills@example.com');
    expect(await codeOf(set())).to.equal('workspace_blank_plan_requires_pro');
    expect(await codeOf(getBillingEmail(sql, workspaceId))).to.equal(
      'workspace_blank_plan_requires_pro',
    );
    const setting = inTransaction(sql, async (tx) => {
      await changePlan(tx, plans, { workspaceId, plan: 'pro', now: noon });
      const waiting = set();
      return { waiting };
    });
    await (await setting).waiting;
    expect(await getBillingEmail(sql, workspaceId)).to.equal('bills@example.com');
  });
});
