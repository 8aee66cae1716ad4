import { deployPage, payloadPage } from '../support/documents.ts';
import { useDashboard } from './dashboard-fixture.ts';
import { createTeam } from './team.ts';

describe('a page of the dashboard after a failure', function () {
  this.timeout(90_000);
  const dashboard = useDashboard();

  it('keeps its numbers when the service cannot be reached, and says so', async () => {
    const team = await createTeam(dashboard());
    await using opened = await dashboard().open(`${team.path}/queue`, { as: team });
    const { page } = opened;
    const rendering = page.getByRole('definition').first();
    await rendering.getByText('0').waitFor();
    await page.route('**/trpc/**', (route) => route.abort());
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await rendering.getByText('0').waitFor();
  });

  it('calls the service even if the browser says that it is offline', async () => {
    const team = await createTeam(dashboard(), 'blank');
    await using opened = await dashboard().open(`${team.path}/keys`, { as: team });
    const { page } = opened;
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor();
    await page.evaluate(() => dispatchEvent(new Event('offline')));
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('meter', { name: 'Render jobs' }).waitFor();
  });

  it('offers to try again after an error, and shows the first job when there is one', async () => {
    const team = await createTeam(dashboard());
    await using opened = await dashboard().open(`${team.path}/keys`, { as: team });
    const { page } = opened;
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor();
    await page.route('**/trpc/*jobs.search*', (route) => route.fulfill({ status: 500 }));
    await page.getByRole('link', { name: 'Overview' }).click();
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unrouteAll();
    await retry.click();
    await page.getByRole('heading', { name: 'Get a key' }).waitFor();

    const { deployId } = await deployPage(team.api, payloadPage);
    await team.api.createRenderJob({ body: { deployId, businessKey: 'first' } });
    await page.getByRole('row', { name: /first/ }).waitFor();
  });

  it('still works in its other parts when one of its files does not load', async () => {
    const team = await createTeam(dashboard(), 'blank');
    const { deployId, id } = await deployPage(team.api, payloadPage);
    const path = `${team.path}/documents/${deployId}/versions/${id}`;
    await using opened = await dashboard().open('/sign-in', { as: team });
    const { page } = opened;
    const { origin } = new URL(page.url());
    await page.route(/assets\/(code-mirror|members)-/, (route) => route.abort());
    await page.goto(`${origin}/dashboard${path}`);
    await page.getByRole('textbox', { name: 'Payload as JSON' }).fill('{"number": 1}');
    await page.getByText(/^Valid JSON/).waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { name: 'This page did not load' }).waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('meter', { name: 'Render jobs' }).waitFor();
  });
});
