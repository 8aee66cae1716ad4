import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { resetSignInRateLimit } from '../admin/admin-fixture.ts';
import { type Owner, useDashboard } from './dashboard-fixture.ts';

const password = 'correct horse battery staple';

describe('members and invitations in the dashboard', function () {
  this.timeout(90_000);
  const dashboard = useDashboard();
  beforeEach(() => resetSignInRateLimit(dashboard().admin));

  const openMembers = (owner: Owner) =>
    dashboard().open(`/${owner.workspaceId}/members`, { as: owner });

  /** The path of an invitation link below `/dashboard`, as `open` expects it. */
  const pathOf = (link: string) => link.slice(link.indexOf('/invitation'));

  it('add a new person, whose role is changed and who is then removed', async () => {
    const owner = await dashboard().createOwner();
    const email = `${randomUUID()}@example.com`;
    await using ownerTab = await openMembers(owner);
    await ownerTab.page.getByRole('button', { name: 'Invite' }).click();
    await ownerTab.page.getByLabel('E-mail address').fill(email);
    await ownerTab.page.getByRole('button', { name: 'Create the link' }).click();
    const link = await ownerTab.page
      .getByRole('region', { name: 'Link of the invitation' })
      .textContent();
    await ownerTab.page.getByRole('button', { name: 'Done' }).click();
    await ownerTab.page.getByRole('cell', { name: email, exact: true }).waitFor();

    await using invitedTab = await dashboard().open(pathOf(link ?? ''));
    await invitedTab.page.getByRole('heading', { name: 'Join Letters' }).waitFor();
    await invitedTab.page.getByLabel('Your name').fill('Grace Hopper');
    await invitedTab.page.getByLabel('Password', { exact: true }).fill('short');
    await invitedTab.page.getByRole('button', { name: 'Create account and join' }).click();
    await invitedTab.page.getByText('Choose 10 to 128 characters.').waitFor();
    await invitedTab.page.getByLabel('Password', { exact: true }).fill(password);
    await invitedTab.page.getByRole('button', { name: 'Create account and join' }).click();
    await invitedTab.page.getByRole('heading', { name: 'Letters', exact: true }).waitFor();
    const navigation = invitedTab.page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.getByRole('link', { name: 'Plan' }).count()).to.equal(0);
    await invitedTab.page.goto(`${invitedTab.page.url()}/plan`);
    await invitedTab.page.getByText('This page is for owners').waitFor();

    await ownerTab.page.reload();
    await ownerTab.page.getByLabel('Role of Grace Hopper').selectOption('owner');
    await ownerTab.page.getByText('Grace Hopper is now: Owner.').waitFor();
    await invitedTab.page.reload();
    await navigation.getByRole('link', { name: 'Plan' }).waitFor();

    await ownerTab.page.getByRole('button', { name: 'Remove Grace Hopper' }).click();
    await ownerTab.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await ownerTab.page.getByText('Grace Hopper is removed.').waitFor();
    await navigation.getByRole('link', { name: 'Queue' }).click();
    await invitedTab.page.getByRole('heading', { name: 'There is no such workspace' }).waitFor();
    expect([...ownerTab.complaints, ...invitedTab.complaints]).to.deep.equal([]);
  });

  it('let a person with an account join by signing in, and ask before giving up the role of owner and leaving', async () => {
    const [owner, other] = [await dashboard().createOwner(), await dashboard().createOwner()];
    const { workspaceId } = owner;
    await other.client.account.complete.mutate({ name: 'Alan', email: other.email, password });
    const { link } = await owner.client.invitations.create.mutate({
      workspaceId,
      email: other.email,
    });
    await using opened = await dashboard().open(pathOf(link));
    await opened.page.getByLabel('Password', { exact: true }).fill(password);
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    await opened.page.waitForURL(`**/dashboard/${workspaceId}`);
    const { items } = await owner.client.members.list.query({ workspaceId });
    expect(items.map(({ name }) => name)).to.include('Alan');

    const userId = other.id;
    await owner.client.members.changeRole.mutate({ workspaceId, userId, role: 'owner' });
    await opened.page.goto(`${opened.page.url()}/members`);
    const role = opened.page.getByLabel('Role of Alan');
    await role.focus();
    await role.selectOption('member');
    await opened.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await opened.page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await role.inputValue()).to.equal('owner');
    await opened.page.getByRole('button', { name: 'Remove Alan' }).click();
    await opened.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await opened.page.waitForURL(`**/dashboard/${other.workspaceId}`);
    await opened.page.getByRole('heading', { name: 'Letters', level: 1 }).waitFor();
  });

  it('refuse to remove the last owner, and say so', async () => {
    const owner = await dashboard().createOwner();
    await using opened = await openMembers(owner);
    await opened.page.getByRole('button', { name: 'Remove Person' }).click();
    await opened.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await opened.page.getByRole('dialog').getByRole('alert').waitFor();
    const { items } = await owner.client.members.list.query({ workspaceId: owner.workspaceId });
    expect(items).to.have.length(1);
  });

  it('say that an unknown invitation does not work', async () => {
    await using opened = await dashboard().open('/invitation#nothing');
    await opened.page.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
  });

  it('can be opened one after another in one tab, also when signed in with another address', async () => {
    const [owner, other] = [await dashboard().createOwner(), await dashboard().createOwner()];
    const { link } = await owner.client.invitations.create.mutate({
      workspaceId: owner.workspaceId,
      email: `${randomUUID()}@example.com`,
    });
    await using opened = await dashboard().open('/invitation#nothing', { as: other });
    const { page } = opened;
    await page.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Join Letters' }).waitFor();
    await page.getByText(`You are signed in as ${other.email}.`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed in as').waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Join Letters' }).waitFor();

    await page.route('**/trpc/invitations.preview*', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Join Letters' }).waitFor();
  });
});
