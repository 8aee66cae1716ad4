import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { signInLink } from '../../contracts/processes/web-addresses.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { createSignInLink } from '../../store/people/sign-in-links.ts';
import { createUser } from '../../store/people/users.ts';
import { cookieOf, createAdminClient } from '../admin/admin-fixture.ts';
import { type IdentityProvider, startIdentityProvider } from '../admin/identity-provider.ts';
import { type Service, startService } from '../support/service.ts';
import { useDashboard } from './dashboard-fixture.ts';

describe('signing in to the dashboard by an identity provider', function () {
  this.timeout(60_000);
  const dashboard = useDashboard();
  let provider: IdentityProvider;
  let service: Service;
  let origin: string;
  before(async () => {
    provider = await startIdentityProvider('drs');
    service = await startService({
      workers: 0,
      env: {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: 'drs',
        OIDC_CLIENT_SECRET: 'not so secret',
      },
    });
    origin = new URL(service.baseUrl).origin;
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });

  /** Sets who signs in at the provider next. */
  const setProviderUser = (email: string) => {
    provider.claims = { sub: email, email, email_verified: true, name: 'Ada' };
  };

  it('adds an invited person to the workspace', async () => {
    const { sql } = service.database;
    const owner = { name: 'Owner', email: `${randomUUID()}@example.com` };
    const userId = await inTransaction(sql, (tx) => createUser(tx, owner));
    const token = await createSignInLink(sql, { userId, now: Date.now() });
    const signedIn = await fetch(signInLink(origin, token), { redirect: 'manual' });
    const client = createAdminClient(origin, { Cookie: cookieOf(signedIn) });
    const { id } = await client.workspaces.create.mutate({ name: 'Letters', plan: 'blank' });
    const email = `${randomUUID()}@example.com`;
    const { link } = await client.invitations.create.mutate({ workspaceId: id, email });

    setProviderUser(email);
    const path = link.slice(link.indexOf('/invitation'));
    await using opened = await dashboard().open(path, { origin });
    const { page, complaints } = opened;
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click();
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.waitForURL(`**/dashboard/${id}`);
    const { items } = await client.members.list.query({ workspaceId: id });
    expect(items.map((member) => member.email)).to.include(email);
    expect(complaints).to.deep.equal([]);
  });

  it('tells a person without an invitation to ask for one', async () => {
    setProviderUser(`${randomUUID()}@example.com`);
    await using opened = await dashboard().open('/sign-in', { origin });
    await opened.page.getByRole('button', { name: 'Sign in with your organisation' }).click();
    await opened.page.getByRole('alert').getByText('Ask an owner').waitFor();
  });
});
