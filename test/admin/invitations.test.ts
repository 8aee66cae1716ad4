import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  callProcedure,
  cookieOf,
  createAdminClient,
  createPerson,
  postSignIn,
  refusalOf,
  resetSignInRateLimit,
  signInRefusalOf,
  type TestPerson,
  useAdmin,
} from './admin-fixture.ts';

const password = 'correct horse battery staple';

describe('an invitation', () => {
  const admin = useAdmin();
  let owner: TestPerson;
  let workspaceId: string;
  before(async () => {
    owner = await createPerson(admin());
    const workspace = await owner.client.workspaces.create.mutate({ name: 'Ours', plan: 'blank' });
    workspaceId = workspace.id;
  });
  beforeEach(() => resetSignInRateLimit(admin()));

  const invite = async (email = `${randomUUID()}@example.com`) => {
    const { link, invitation } = await owner.client.invitations.create.mutate({
      workspaceId,
      email,
    });
    return { email, token: new URL(link).hash.slice(1), link, invitation };
  };
  const acceptAsNewUser = (token: string, body: object = {}) =>
    postSignIn(admin(), '/accept-invitation', { token, name: 'New', password, ...body });

  it('makes a new person a member, who is signed in and can sign in again by password', async () => {
    const { email, token } = await invite();
    const { origin } = admin();
    const anybody = createAdminClient(origin, {});
    expect(await anybody.invitations.preview.mutate({ token })).to.include({
      workspaceName: 'Ours',
      email,
      role: 'member',
      hasAccount: false,
    });
    const joined = await acceptAsNewUser(token);
    expect(await joined.json()).to.deep.equal({ workspaceId });
    const client = createAdminClient(origin, { Cookie: cookieOf(joined) });
    const { items } = await client.workspaces.list.query({});
    expect(items.map(({ id, role }) => [id, role])).to.deep.equal([[workspaceId, 'member']]);
    expect((await postSignIn(admin(), '/sign-in/email', { email, password })).status).to.equal(200);
    expect(await refusalOf(anybody.invitations.preview.mutate({ token }))).to.equal(
      'invitation_not_found',
    );

    const { id: userId } = await client.account.get.query();
    await owner.client.members.changeRole.mutate({ workspaceId, userId, role: 'owner' });
    expect((await client.workspaces.get.query({ workspaceId })).role).to.equal('owner');
    await owner.client.members.remove.mutate({ workspaceId, userId });
    expect(await refusalOf(client.workspaces.get.query({ workspaceId }))).to.equal(
      'workspace_not_found',
    );
  });

  it('shows its link only once: lists do not have it', async () => {
    const { token, invitation } = await invite();
    const list = await owner.client.invitations.list.query({ workspaceId });
    expect(list.items.map(({ id }) => id)).to.include(invitation.id);
    expect(JSON.stringify(list)).to.not.include(token);
    await owner.client.invitations.revoke.mutate({ workspaceId, invitationId: invitation.id });
    expect(await signInRefusalOf(await acceptAsNewUser(token))).to.equal('invitation_not_found');
  });

  it('revokes an earlier invitation of the same address, but not of other addresses', async () => {
    const [first, other] = [await invite(), await invite()];
    const second = await invite(first.email);
    const { items } = await owner.client.invitations.list.query({ workspaceId });
    const open = items.filter(({ email }) => [first.email, other.email].includes(email));
    expect(open.map(({ id }) => id)).to.have.members([second.invitation.id, other.invitation.id]);
    expect(await signInRefusalOf(await acceptAsNewUser(first.token))).to.equal(
      'invitation_not_found',
    );
    const previews = [second, other].map(({ token }) =>
      owner.client.invitations.preview.mutate({ token }),
    );
    const emails = (await Promise.all(previews)).map(({ email }) => email);
    expect(emails).to.deep.equal([first.email, other.email]);
  });

  it('cannot be previewed by GET with the token in the address, because proxies log addresses', async () => {
    const { token } = await invite();
    const asked = await callProcedure(admin(), 'query', 'invitations.preview', { token }, {});
    expect(asked.status).to.be.within(400, 499);
  });

  it('requires a user with an account to sign in: the link alone cannot change a password', async () => {
    const somebody = await createPerson(admin());
    const { token } = await invite(somebody.email);
    const refused = await acceptAsNewUser(token);
    expect([refused.status, cookieOf(refused)]).to.deep.equal([409, '']);
    expect(await signInRefusalOf(refused)).to.equal('account_exists');
    const workspace = await somebody.client.invitations.accept.mutate({ token });
    expect(workspace).to.include({ id: workspaceId, role: 'member' });
    await owner.client.members.remove.mutate({ workspaceId, userId: somebody.id });
  });

  it('does not accept a password that is too short', async () => {
    const { token } = await invite();
    expect((await acceptAsNewUser(token, { password: 'short' })).status).to.equal(400);
    expect((await acceptAsNewUser(token)).status).to.equal(200);
  });

  it('cannot exceed the members of the plan, even if many people accept at the same time', async () => {
    const before = await owner.client.members.list.query({ workspaceId });
    const invited = await Promise.all(Array.from({ length: 5 }, () => invite()));
    const answers = await Promise.all(invited.map(({ token }) => acceptAsNewUser(token)));
    const statuses = answers.map(({ status }) => status);
    const places = 3 - before.items.length;
    expect(statuses.filter((status) => status === 200)).to.have.lengthOf(places);
    expect(statuses.filter((status) => status === 403)).to.have.lengthOf(5 - places);
    const { items } = await owner.client.members.list.query({ workspaceId });
    expect(items).to.have.lengthOf(3);
  });
});
