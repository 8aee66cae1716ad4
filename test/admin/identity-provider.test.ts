import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { inTransaction } from '../../store/database/transactions.ts';
import { createUser } from '../../store/people/users.ts';
import { poll } from '../support/poll.ts';
import { type Service, startService } from '../support/service.ts';
import {
  type AdminClient,
  cookieOf,
  createAdminClient,
  postSignIn,
  refusalOf,
} from './admin-fixture.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';

const adminToken = 'a'.repeat(64);

describe('sign-in by an identity provider', () => {
  let provider: IdentityProvider;
  let service: Service;
  let origin: string;
  let tool: AdminClient;
  before(async function () {
    this.timeout(60_000);
    provider = await startIdentityProvider('drs');
    service = await startService({
      workers: 0,
      env: {
        ADMIN_TOKEN: adminToken,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: 'drs',
        OIDC_CLIENT_SECRET: 'not so secret',
      },
    });
    origin = new URL(service.baseUrl).origin;
    tool = createAdminClient(origin, { Authorization: `Bearer ${adminToken}` });
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });

  /** Signs in as this person like a browser does. Returns the session cookie, if any. */
  async function signIn(email: string, verified = true): Promise<string> {
    provider.claims = { sub: email, email, email_verified: verified, name: 'Ada' };
    await service.database.sql`delete from sign_in_rate_limits`;
    const body = { provider: 'oidc', callbackURL: '/dashboard/' };
    const begun = await postSignIn({ origin }, '/sign-in/social', body);
    const { url } = (await begun.json()) as { url: string };
    const atProvider = await fetch(url, { redirect: 'manual' });
    const back = await fetch(atProvider.headers.get('Location') ?? '', {
      redirect: 'manual',
      headers: { Cookie: cookieOf(begun) },
    });
    return cookieOf(back)
      .split('; ')
      .filter((cookie) => cookie.startsWith('drs.session_token='))
      .join();
  }

  const newAddress = () => `${randomUUID()}@example.com`;
  const accountOf = (cookie: string) =>
    createAdminClient(origin, { Cookie: cookie }).account.get.query();

  it('is one of the ways to sign in', async () => {
    expect(await tool.account.signInMethods.query()).to.deep.equal({
      password: true,
      identityProvider: true,
    });
  });

  /** Creates a user with a verified address, as after a sign-in by the provider, but without a link to the account there. */
  async function createVerifiedUser(email: string): Promise<string> {
    const { sql } = service.database;
    const id = await inTransaction(sql, (tx) => createUser(tx, { name: 'Ada', email }));
    await sql`update users set email_verified = true where id = ${id}`;
    return id;
  }

  it('works for a verified account with that address, but only if the provider has verified the address too', async () => {
    const email = newAddress();
    const id = await createVerifiedUser(email);
    expect(await signIn(email, false)).to.equal('');
    const linked = await service.database.sql`select 1 from user_accounts where user_id = ${id}`;
    expect(linked).to.have.lengthOf(0);
    const cookie = await signIn(email);
    expect(await accountOf(cookie)).to.include({ id, hasPassword: false, complete: true });
    const { account } = createAdminClient(origin, { Cookie: cookie });
    const another = { name: 'Eve', email: newAddress(), password: 'correct horse battery staple' };
    expect(await refusalOf(account.complete.mutate(another))).to.equal('forbidden');
  });

  it('works for an invited person, who then accepts the invitation', async () => {
    const { id: workspaceId } = await tool.workspaces.create.mutate({ name: 'A', plan: 'pro' });
    const email = newAddress();
    const { link } = await tool.invitations.create.mutate({ workspaceId, email });
    const cookie = await signIn(email);
    const client = createAdminClient(origin, { Cookie: cookie });
    const token = link.split('#')[1] ?? '';
    const workspace = await client.invitations.accept.mutate({ token });
    expect(workspace).to.include({ id: workspaceId, role: 'member' });
  });

  it('does not sign in to an account that the inviter created with the address of the invited person', async () => {
    const { id: workspaceId } = await tool.workspaces.create.mutate({ name: 'C', plan: 'pro' });
    const email = newAddress();
    const { link } = await tool.invitations.create.mutate({ workspaceId, email });
    const body = { token: link.split('#')[1], name: 'Eve', password: 'correct horse battery' };
    const taken = await postSignIn({ origin }, '/accept-invitation', body);
    expect(taken.status).to.equal(200);
    const { id } = await accountOf(cookieOf(taken));
    expect(await signIn(email)).to.equal('');
    const accounts = await service.database.sql`
      select provider_id from user_accounts where user_id = ${id}`;
    expect([...accounts]).to.deep.equal([{ providerId: 'credential' }]);
  });

  it('fails for a person without invitation and for an address that the provider has not verified', async () => {
    const { id: workspaceId } = await tool.workspaces.create.mutate({ name: 'B', plan: 'pro' });
    const [uninvited, unverified] = [newAddress(), newAddress()];
    await tool.invitations.create.mutate({ workspaceId, email: unverified });
    expect(await signIn(uninvited)).to.equal('');
    expect(await signIn(unverified, false)).to.equal('');
    const made = await service.database.sql`
      select 1 from users where email in (${uninvited}, ${unverified})`;
    expect(made).to.have.lengthOf(0);
  });
});

describe('an identity provider that is down when the service starts', () => {
  it('is tried again at intervals, and works when it is up again', async function () {
    this.timeout(60_000);
    await using provider = await startIdentityProvider('drs');
    provider.available = false;
    await using service = await startService({
      workers: 0,
      env: {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: 'drs',
        OIDC_CLIENT_SECRET: 'not so secret',
      },
    });
    const { origin } = new URL(service.baseUrl);
    const body = { provider: 'oidc', callbackURL: '/dashboard/' };
    const begin = async () => {
      await service.database.sql`delete from sign_in_rate_limits`;
      return (await postSignIn({ origin }, '/sign-in/social', body)).status;
    };
    const statuses = await Promise.all(Array.from({ length: 10 }, begin));
    expect(new Set(statuses)).to.deep.equal(new Set([404]));
    expect(provider.discoveries, 'discoveries by ten sign-ins').to.be.below(4);
    provider.available = true;
    await poll('the provider', async () => (await begin()) === 200);
  });
});
