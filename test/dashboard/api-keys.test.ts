import { expect } from 'chai';
import { useDashboard } from './dashboard-fixture.ts';

describe('API keys in the dashboard', function () {
  this.timeout(60_000);
  const dashboard = useDashboard();

  it('are shown once, work for the REST API, and stop working when revoked', async () => {
    const owner = await dashboard().createOwner();
    const { origin } = dashboard().admin;
    const listDeploys = async (key: string): Promise<number> => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`${origin}/v1/deploys`, { headers })).status;
    };
    await using opened = await dashboard().open(`/${owner.workspaceId}/keys`, { as: owner });
    const { page, complaints } = opened;
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    await page.getByLabel('Name').fill('billing');
    // Escape must not close the dialog, neither during the creation nor while the key is shown.
    await page.route('**/trpc/apiKeys.create*', async (route) => {
      await page.keyboard.press('Escape');
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const shown = page.getByRole('region', { name: 'API key', exact: true });
    const key = (await shown.textContent()) ?? '';
    expect(key).to.match(/^drs_\w{36}$/);
    expect(await listDeploys(key)).to.equal(200);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'hidden' });

    await page.reload();
    const row = page.getByRole('row', { name: /billing/ });
    await row.waitFor();
    expect(await row.textContent()).not.to.include('Never');
    expect(await page.content()).not.to.include(key);
    await row.getByRole('button', { name: 'Revoke billing' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key billing is revoked.').waitFor();
    expect(await listDeploys(key)).to.equal(401);
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });
});
