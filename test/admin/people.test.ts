import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { signInLink } from '../../contracts/processes/web-addresses.ts';
import { createSignInLink } from '../../store/people/sign-in-links.ts';
import {
  cookieOf,
  createAdminClient,
  createPerson,
  postSignIn,
  refusalOf,
  resetSignInRateLimit,
  signInRefusalOf,
  useAdmin,
} from './admin-fixture.ts';

/** A service that was set up only with the admin token: how it gets users and how they recover their accounts. */
describe('users, for operators,', () => {
  const admin = useAdmin();
  beforeEach(() => resetSignInRateLimit(admin()));

  const open = (link: string) => fetch(link, { redirect: 'manual' });
  const clientOf = (response: Response) =>
    createAdminClient(admin().origin, { Cookie: cookieOf(response) });
  const signIn = (email: string, password: string) =>
    postSignIn(admin(), '/sign-in/email', { email, password });

  it('are listed newest first, in pages, and are found by a part of their address', async () => {
    const [first, second] = [await createPerson(admin()), await createPerson(admin())];
    const { people } = admin().tool;
    const newest = await people.list.query({ limit: 1 });
    expect(newest.items.map(({ id }) => id)).to.deep.equal([second.id]);
    const next = await people.list.query({ limit: 1, cursor: newest.nextCursor });
    expect(next.items.map(({ id }) => id)).to.deep.equal([first.id]);
    const found = await people.list.query({ email: first.email.slice(4, 30).toUpperCase() });
    expect(found.nextCursor).to.equal(undefined);
    const [{ createdAt, ...person }, ...more] = found.items as [(typeof found.items)[0]];
    expect(more).to.deep.equal([]);
    expect(person).to.deep.equal({
      id: first.id,
      name: 'Person',
      email: first.email,
      operator: false,
    });
    expect(createdAt).to.be.closeTo(Date.now(), 60_000);
    const elsewhere = people.list.query({ email: 'another', cursor: newest.nextCursor });
    expect(await refusalOf(elsewhere)).to.equal('invalid_cursor');
    expect((await people.list.query({ email: '%' })).items).to.deep.equal([]);
  });

  it('recover an account by a link that works once: sessions and password end, a new password is set', async () => {
    const { tool, origin, service } = admin();
    const person = await createPerson(admin());
    const email = person.email;
    await person.client.account.complete.mutate({ name: 'Ada', email, password: 'the lost one' });
    const { link, expiresAt } = await tool.people.createSignInLink.mutate({ userId: person.id });
    expect(expiresAt).to.be.above(Date.now() + 23 * 3_600_000);
    expect(link.startsWith(origin)).to.equal(true);
    expect((await signIn(email, 'the lost one')).status, 'before it is opened').to.equal(200);

    const answers = await Promise.all([open(link), open(link)]);
    const [opened, late] = answers.toSorted((a, b) => cookieOf(b).length - cookieOf(a).length);
    expect(await signInRefusalOf(late as Response)).to.equal('sign_in_link_not_found');
    expect(await refusalOf(person.client.account.get.query())).to.equal('unauthorized');
    expect((await signIn(email, 'the lost one')).status).to.equal(401);
    const client = clientOf(opened as Response);
    expect(await client.account.get.query()).to.include({ id: person.id, complete: false });
    await client.account.complete.mutate({ name: 'Ada', email, password: 'the found one' });
    expect((await signIn(email, 'the found one')).status).to.equal(200);

    const { sql } = service.database;
    const token = await createSignInLink(sql, { userId: person.id, now: Date.now() });
    await open(signInLink(origin, token));
    expect((await signIn(email, 'the found one')).status, 'after another link').to.equal(200);
  });

  it('become operators and lose that right at once', async () => {
    const { tool } = admin();
    const { id: userId, client } = await createPerson(admin());
    expect(await refusalOf(client.people.list.query({}))).to.equal('forbidden');
    await tool.people.setOperator.mutate({ userId, operator: true });
    expect((await client.people.list.query({ limit: 1 })).items).to.have.lengthOf(1);
    await client.people.setOperator.mutate({ userId, operator: false });
    expect(await refusalOf(client.people.list.query({}))).to.equal('forbidden');
    const { items } = await tool.auditLog.listAll.query({});
    const entries = items.filter(({ target }) => target === userId);
    expect(entries.map(({ actor, action, details }) => [actor, action, details])).to.deep.equal([
      [userId, 'people.setOperator', { operator: false }],
      ['admin-token', 'people.setOperator', { operator: true }],
    ]);
  });

  it('can be set up with the admin token alone: a workspace, an invited owner, an operator', async () => {
    const { tool } = admin();
    const { id: workspaceId } = await tool.workspaces.create.mutate({ name: 'First', plan: 'pro' });
    const invited = { workspaceId, email: `${randomUUID()}@example.com`, role: 'owner' } as const;
    const { link } = await tool.invitations.create.mutate(invited);
    const body = { token: new URL(link).hash.slice(1), name: 'Ada', password: 'the first one' };
    const client = clientOf(await postSignIn(admin(), '/accept-invitation', body));
    const { id: userId } = await client.account.get.query();
    await tool.people.setOperator.mutate({ userId, operator: true });
    expect(await client.account.get.query()).to.include({ operator: true });
    const { items } = await client.workspaces.list.query({ mine: true });
    expect(items.map(({ id, role }) => [id, role])).to.deep.equal([[workspaceId, 'owner']]);
    await tool.people.setOperator.mutate({ userId, operator: false });
  });
});
