import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { renderDocument } from '../../client/render-document.ts';
import { deployPage, payloadPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import { expectAccessible, useDashboard } from './dashboard-fixture.ts';
import { createTeam } from './team.ts';

describe('webhooks in the dashboard', function () {
  this.timeout(90_000);
  const dashboard = useDashboard();

  it('are added, receive the event of a job, show the attempt, and can be sent again', async () => {
    const team = await createTeam(dashboard());
    const { receiver } = dashboard().admin;
    const hook = `/${randomUUID()}`;
    receiver.answer(hook, (response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'X-Receiver': 'ours' }).end('noted');
    });
    await using opened = await dashboard().open(`${team.path}/webhooks`, { as: team });
    const { page, complaints } = opened;
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByText('answers a POST with 2xx within 15 seconds').waitFor();
    await page.getByLabel('URL').fill('nonsense');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Enter a full URL').waitFor();
    await page.getByLabel('URL').fill(receiver.url(hook));
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const shown = page.getByRole('region', { name: 'Signing secret' });
    const secret = (await shown.textContent()) ?? '';
    expect(secret).to.match(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'hidden' });

    const { deployId } = await deployPage(team.api, payloadPage);
    const { job } = await renderDocument(team.api, { deployId, payload: 1 }, { pollMs: 100 });
    const [first] = await poll('the first request', () => {
      const requests = receiver.received(hook);
      return requests.length > 0 && requests;
    });
    if (!first) throw new Error('The receiver got no request.');
    const signed = first.headers as Record<string, string>;
    const event = new Webhook(secret).verify(first.body, signed) as { data: { job: unknown } };
    expect(event.data.job).to.deep.include({ id: job.id });

    await page.reload();
    await page.getByRole('link', { name: 'Job ended' }).click();
    await page.getByText('The delivery is now: Delivered').waitFor();
    await page.getByText('Response 200').waitFor();
    const part = (name: string) => page.getByRole('region', { name }).textContent();
    expect(await part('Response body of attempt 1')).to.equal('noted');
    expect(await part('Response headers of attempt 1')).to.include('x-receiver: ours');
    expect(await part('Request body of attempt 1')).to.include(job.id);
    await expectAccessible(page, 'a delivery');

    await page.getByRole('button', { name: 'Send again' }).click();
    const second = await poll('the second request', () => receiver.received(hook)[1]);
    expect(second.headers['webhook-id']).to.equal(first.headers['webhook-id']);
    await page.getByText('The delivery is now: Delivered').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await deliveries
      .getByRole('row', { name: /Delivered/ })
      .nth(1)
      .waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('are tested, disabled, enabled and deleted, and their secret is revealed and rotated', async () => {
    const team = await createTeam(dashboard());
    const { receiver } = dashboard().admin;
    const hook = `/${randomUUID()}`;
    const { workspaceId } = team;
    const { secret } = await team.client.webhooks.createEndpoint.mutate({
      workspaceId,
      url: receiver.url(hook),
    });
    await using opened = await dashboard().open(`${team.path}/webhooks`, { as: team });
    const { page } = opened;
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    const readSecret = async () => {
      const text = await page.getByRole('region', { name: 'Signing secret' }).textContent();
      await page.getByRole('button', { name: 'Done' }).click();
      return text;
    };
    await choose('Reveal the secret');
    expect(await readSecret()).to.equal(secret);
    await page.getByText('Deliveries are kept for 30 days after they end.').waitFor();
    await choose('Rotate the secret');
    await page.getByText('The previous secret also signs for 24 hours').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    expect(await readSecret())
      .to.match(/^whsec_/)
      .and.not.equal(secret);

    await choose('Disable');
    await page.getByText('Disabled', { exact: true }).waitFor();
    await choose('Enable');
    await page.getByText('Enabled', { exact: true }).waitFor();

    await choose('Send a test');
    await page.getByRole('heading', { name: 'Test delivery' }).waitFor();
    await page.getByText('The delivery is now: Delivered').waitFor();
    expect(receiver.received(hook)).to.have.length(1);

    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await choose('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByRole('heading', { name: 'No endpoint yet' }).waitFor();
  });
});
