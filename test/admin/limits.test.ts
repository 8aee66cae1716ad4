import { expect } from 'chai';
import { maxWebhookEndpoints } from '../../contracts/limits.ts';
import { defaultPlans } from '../../contracts/plans.ts';
import { createPerson, refusalOf, type TestPerson, useAdmin } from './admin-fixture.ts';

/** Limits of plans and of the service, as users get them (codes: REST 7). Tests of the store check counted limits under races. */
describe('limits for users', () => {
  const admin = useAdmin();
  let owner: TestPerson;
  let workspaceId: string;
  before(async () => {
    owner = await createPerson(admin());
    const created = await owner.client.workspaces.create.mutate({ name: 'Small', plan: 'blank' });
    workspaceId = created.id;
  });

  it('allow only small bodies before sign-in', async () => {
    const body = JSON.stringify({ workspaceId: 'x'.repeat(100_000) });
    const post = (headers: Record<string, string>) =>
      fetch(`${admin().origin}/trpc/workspaces.rename`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      });
    const codeOf = async (answer: Response) =>
      ((await answer.json()) as { error: { data: { error: string } } }).error.data.error;
    expect(await codeOf(await post({}))).to.equal('payload_too_large');
    expect(await codeOf(await post({ Cookie: owner.cookie }))).not.to.equal('payload_too_large');
  });

  it('allow one workspace on the plan blank for each user', async () => {
    const second = owner.client.workspaces.create.mutate({ name: 'Second', plan: 'blank' });
    expect(await refusalOf(second)).to.equal('workspace_blank_plan_limit_exceeded');
  });

  it('allow no billing address on the plan blank', async () => {
    const set = owner.client.billing.setEmail.mutate({
      workspaceId,
      billingEmail: 'bills@example.com',
    });
    expect(await refusalOf(set)).to.equal('workspace_blank_plan_requires_pro');
  });

  it('allow no more members than the plan has places', async () => {
    const invite = (name: string) =>
      owner.client.invitations.create.mutate({ workspaceId, email: `${name}@example.com` });
    const places = defaultPlans.blank?.maxMembers ?? 0;
    for (let members = 1; members < places; members++) {
      const person = await createPerson(admin());
      const { link } = await owner.client.invitations.create.mutate({
        workspaceId,
        email: person.email,
      });
      await person.client.invitations.accept.mutate({ token: new URL(link).hash.slice(1) });
    }
    expect(await refusalOf(invite('one-more'))).to.equal('workspace_member_limit_exceeded');
  });

  it('do not allow to remove the last owner', async () => {
    const leave = owner.client.members.remove.mutate({ workspaceId, userId: owner.id });
    expect(await refusalOf(leave)).to.equal('workspace_needs_owner');
  });

  it(`allow ${maxWebhookEndpoints} webhook endpoints, and no test of a disabled one`, async () => {
    const create = () =>
      owner.client.webhooks.createEndpoint.mutate({ workspaceId, url: 'https://example.com/hook' });
    for (let endpoints = 1; endpoints < maxWebhookEndpoints; endpoints++) await create();
    const { endpoint } = await create();
    expect(await refusalOf(create())).to.equal('webhook_endpoint_limit_exceeded');
    const target = { workspaceId, endpointId: endpoint.id };
    await owner.client.webhooks.updateEndpoint.mutate({ ...target, enabled: false });
    expect(await refusalOf(owner.client.webhooks.test.mutate(target))).to.equal(
      'webhook_endpoint_disabled',
    );
  });
});
