import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { signInLink } from '../../contracts/processes/web-addresses.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { createSignInLink } from '../../store/people/sign-in-links.ts';
import { createUser } from '../../store/people/users.ts';
import { resetSignInRateLimit } from '../admin/admin-fixture.ts';
import { useDashboard } from './dashboard-fixture.ts';

const password = 'correct horse battery staple';

describe('signing in to the dashboard', function () {
  this.timeout(60_000);
  const dashboard = useDashboard();
  beforeEach(() => resetSignInRateLimit(dashboard().admin));

  /** A sign-in link for a new user who has no password. */
  const createOneTimeLink = async () => {
    const { service, origin } = dashboard().admin;
    const email = `${randomUUID()}@example.com`;
    const id = await inTransaction(service.database.sql, (tx) =>
      createUser(tx, { name: 'New', email }),
    );
    return signInLink(
      origin,
      await createSignInLink(service.database.sql, { userId: id, now: Date.now() }),
    );
  };

  it('works by a one-time link, then by a new password after signing out', async () => {
    const email = `${randomUUID()}@example.com`;
    await using opened = await dashboard().open('/sign-in');
    const { page, complaints } = opened;
    await page.goto(await createOneTimeLink());
    await page.getByRole('link', { name: 'Choose a password' }).click();
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Next time, sign in as ${email}.`).waitFor();
    await page.getByRole('button', { name: 'Account: Ada Lovelace' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('explains a wrong password, an incomplete form, and a used link', async () => {
    await using opened = await dashboard().open('/sign-in');
    const { page } = opened;
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter an e-mail address').waitFor();
    await page.getByLabel('E-mail address').fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
    const link = await createOneTimeLink();
    await fetch(link, { redirect: 'manual' });
    await page.goto(link);
    await page.getByRole('alert').getByText('ask for a new link').waitFor();
  });

  it('returns to the page that was requested', async () => {
    const owner = await dashboard().createOwner();
    await owner.client.account.complete.mutate({ name: 'Ada', email: owner.email, password });
    await using opened = await dashboard().open(`/${owner.workspaceId}/usage`);
    const { page } = opened;
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/dashboard/${owner.workspaceId}/usage`);
  });

  it('never redirects to another site', async () => {
    const owner = await dashboard().createOwner();
    for (const next of ['https://example.com/', '//example.com/', '/\\example.com']) {
      const path = `/sign-in?${new URLSearchParams({ next })}`;
      await using opened = await dashboard().open(path, { as: owner });
      await opened.page.getByRole('heading', { level: 1 }).waitFor();
      expect(new URL(opened.page.url()).origin).to.equal(dashboard().admin.origin);
    }
  });

  it('shows the page to sign in when the session ends while a page is open', async () => {
    const owner = await dashboard().createOwner();
    await using opened = await dashboard().open(`/${owner.workspaceId}/keys`, { as: owner });
    const { page } = opened;
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('shows the page to sign in when a change finds that the session has ended', async () => {
    const owner = await dashboard().createOwner();
    await using opened = await dashboard().open(`/${owner.workspaceId}/keys`, { as: owner });
    const { page } = opened;
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    await page.getByLabel('Name').fill('billing');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('opens a workspace of the user even if the last one in this browser belongs to somebody else', async () => {
    const [previous, next] = [await dashboard().createOwner(), await dashboard().createOwner()];
    await using opened = await dashboard().open(`/${previous.workspaceId}`, { as: next });
    const { page } = opened;
    await page.getByRole('heading', { name: 'There is no such workspace' }).waitFor();
    await page.evaluate((id) => localStorage.setItem('last-workspace', id), previous.workspaceId);
    await page.getByRole('link', { name: 'Back to the start' }).click();
    await page.waitForURL(`**/dashboard/${next.workspaceId}`);
  });
});
