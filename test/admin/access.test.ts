import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { adminRouter } from '../../api/admin/router.ts';
import { defaultPlans } from '../../contracts/plans.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { addMember } from '../../store/people/members.ts';
import {
  answerOf,
  callProcedure,
  createPerson,
  type TestPerson,
  useAdmin,
} from './admin-fixture.ts';

/** `tool` has the admin token. A `stranger` is a user who is not in the workspace. An `anonymous` caller has not signed in. */
const roles = ['tool', 'operator', 'owner', 'member', 'stranger', 'anonymous'] as const;
type Role = (typeof roles)[number];
type Verdict = 'allowed' | 'unauthorized' | 'forbidden' | 'workspace_not_found';

const allowed = 'allowed';

/** For each kind of procedure: the roles that may call it, and the error for the others. */
const kinds = {
  public: verdicts(allowed, allowed, allowed, allowed, allowed, allowed),
  signedIn: verdicts(allowed, allowed, allowed, allowed, allowed, 'unauthorized'),
  person: verdicts('forbidden', allowed, allowed, allowed, allowed, 'unauthorized'),
  operator: verdicts(allowed, allowed, 'forbidden', 'forbidden', 'forbidden', 'unauthorized'),
  member: verdicts(allowed, allowed, allowed, allowed, 'workspace_not_found', 'unauthorized'),
  owner: verdicts(allowed, allowed, allowed, 'forbidden', 'workspace_not_found', 'unauthorized'),
  operatorWorkspace: verdicts(
    allowed,
    allowed,
    'forbidden',
    'forbidden',
    'workspace_not_found',
    'unauthorized',
  ),
} satisfies Record<string, Record<Role, Verdict>>;

function verdicts(...each: Verdict[]): Record<Role, Verdict> {
  return Object.fromEntries(roles.map((role, index) => [role, each[index]])) as never;
}

interface Row {
  readonly kind: keyof typeof kinds;
  /** Input in addition to the id of the workspace. */
  readonly input?: object;
  /** Answer for an allowed role: `done`, or the error for an unused id or a wrong input. */
  readonly answer?: string;
}

/** Well-formed ids of things that do not exist. */
const unusedIds = {
  userId: 'usr_01jd2m5k8xe7v9q4t6w3r1n0ab',
  invitationId: 'inv_01jd2m5k8xe7v9q4t6w3r1n0ab',
  keyId: 'key_01jd2m5k8xe7v9q4t6w3r1n0ab',
  deployId: 'dpl_01jd2m5k8xe7v9q4t6w3r1n0ab',
  versionId: 'ver_01jd2m5k8xe7v9q4t6w3r1n0ab',
  jobId: 'job_01jd2m5k8xe7v9q4t6w3r1n0ab',
  pdfId: 'pdf_01jd2m5k8xe7v9q4t6w3r1n0ab',
  linkId: 'lnk_01jd2m5k8xe7v9q4t6w3r1n0ab',
  endpointId: 'whk_01jd2m5k8xe7v9q4t6w3r1n0ab',
  deliveryId: 'whd_01jd2m5k8xe7v9q4t6w3r1n0ab',
};
const unknownWorkspaceId = 'ws_01jd2m5k8xe7v9q4t6w3r1n0ab';

const rows: Record<string, Row> = {
  'account.signInMethods': { kind: 'public' },
  'account.get': { kind: 'person' },
  'account.complete': {
    kind: 'person',
    input: { name: '', email: 'no address', password: 'short' },
    answer: 'invalid_request',
  },
  'people.list': { kind: 'operator' },
  'people.createSignInLink': {
    kind: 'operator',
    input: { userId: unusedIds.userId },
    answer: 'person_not_found',
  },
  'people.setOperator': {
    kind: 'operator',
    input: { userId: unusedIds.userId, operator: true },
    answer: 'person_not_found',
  },
  'workspaces.list': { kind: 'signedIn' },
  'workspaces.get': { kind: 'member' },
  'workspaces.create': { kind: 'signedIn', input: { name: 'New', plan: 'blank' } },
  'workspaces.rename': { kind: 'owner', input: { name: 'Renamed' } },
  'workspaces.changePlan': { kind: 'operatorWorkspace', input: { plan: 'pro' } },
  'plans.list': { kind: 'signedIn' },
  'members.list': { kind: 'member' },
  'members.changeRole': {
    kind: 'owner',
    input: { userId: unusedIds.userId, role: 'member' },
    answer: 'member_not_found',
  },
  'members.remove': {
    kind: 'owner',
    input: { userId: unusedIds.userId },
    answer: 'member_not_found',
  },
  'invitations.list': { kind: 'owner' },
  'invitations.create': { kind: 'owner', input: { email: 'somebody@example.com' } },
  'invitations.revoke': {
    kind: 'owner',
    input: { invitationId: unusedIds.invitationId },
    answer: 'invitation_not_found',
  },
  'invitations.preview': {
    kind: 'public',
    input: { token: 'unknown' },
    answer: 'invitation_not_found',
  },
  'invitations.accept': {
    kind: 'person',
    input: { token: 'unknown' },
    answer: 'invitation_not_found',
  },
  'apiKeys.list': { kind: 'member' },
  'apiKeys.create': { kind: 'owner', input: { name: 'Key' } },
  'apiKeys.revoke': {
    kind: 'owner',
    input: { keyId: unusedIds.keyId },
    answer: 'api_key_not_found',
  },
  'deploys.list': { kind: 'member' },
  'deploys.get': {
    kind: 'member',
    input: { deployId: unusedIds.deployId },
    answer: 'deploy_not_found',
  },
  'deploys.delete': {
    kind: 'member',
    input: { deployId: unusedIds.deployId },
    answer: 'deploy_not_found',
  },
  'versions.list': {
    kind: 'member',
    input: { deployId: unusedIds.deployId },
    answer: 'deploy_not_found',
  },
  'versions.get': { kind: 'member', input: unusedIds, answer: 'deploy_not_found' },
  'versions.delete': { kind: 'member', input: unusedIds, answer: 'deploy_not_found' },
  'aliases.list': {
    kind: 'member',
    input: { deployId: unusedIds.deployId },
    answer: 'deploy_not_found',
  },
  'aliases.set': {
    kind: 'member',
    input: { deployId: unusedIds.deployId, alias: 'production', deployVersionId: 'latest' },
    answer: 'deploy_not_found',
  },
  'aliases.delete': {
    kind: 'member',
    input: { deployId: unusedIds.deployId, alias: 'production' },
    answer: 'deploy_not_found',
  },
  'jobs.search': { kind: 'member' },
  'jobs.counts': { kind: 'member' },
  'jobs.daily': { kind: 'member' },
  'jobs.get': {
    kind: 'member',
    input: { jobId: unusedIds.jobId },
    answer: 'render_job_not_found',
  },
  'jobs.create': {
    kind: 'member',
    input: { job: { deployId: unusedIds.deployId } },
    answer: 'deploy_not_found',
  },
  'jobs.cancel': {
    kind: 'member',
    input: { jobId: unusedIds.jobId },
    answer: 'render_job_not_found',
  },
  'jobs.rerun': {
    kind: 'member',
    input: { jobs: [{ jobId: unusedIds.jobId, rerender: {} }] },
  },
  'outputs.list': { kind: 'member' },
  'outputs.get': {
    kind: 'member',
    input: { jobId: unusedIds.jobId },
    answer: 'render_job_not_found',
  },
  'outputs.link': {
    kind: 'member',
    input: { jobId: unusedIds.jobId },
    answer: 'render_job_not_found',
  },
  'outputs.delete': {
    kind: 'member',
    input: { jobId: unusedIds.jobId },
    answer: 'render_job_not_found',
  },
  'pdfs.list': { kind: 'member' },
  'pdfs.get': { kind: 'member', input: { pdfId: unusedIds.pdfId }, answer: 'pdf_not_found' },
  'pdfs.link': { kind: 'member', input: { pdfId: unusedIds.pdfId }, answer: 'pdf_not_found' },
  'pdfs.delete': { kind: 'member', input: { pdfId: unusedIds.pdfId }, answer: 'pdf_not_found' },
  'permanentLinks.list': {
    kind: 'member',
    input: { pdfId: unusedIds.pdfId },
    answer: 'pdf_not_found',
  },
  'permanentLinks.create': {
    kind: 'member',
    input: { pdfId: unusedIds.pdfId },
    answer: 'pdf_not_found',
  },
  'permanentLinks.delete': { kind: 'member', input: unusedIds, answer: 'pdf_not_found' },
  'webhooks.listEndpoints': { kind: 'member' },
  'webhooks.createEndpoint': { kind: 'owner', input: { url: 'https://example.com/webhooks' } },
  'webhooks.updateEndpoint': {
    kind: 'owner',
    input: { endpointId: unusedIds.endpointId, enabled: false },
    answer: 'webhook_endpoint_not_found',
  },
  'webhooks.deleteEndpoint': {
    kind: 'owner',
    input: { endpointId: unusedIds.endpointId },
    answer: 'webhook_endpoint_not_found',
  },
  'webhooks.rotateSecret': {
    kind: 'owner',
    input: { endpointId: unusedIds.endpointId },
    answer: 'webhook_endpoint_not_found',
  },
  'webhooks.revealSecret': {
    kind: 'owner',
    input: { endpointId: unusedIds.endpointId },
    answer: 'webhook_endpoint_not_found',
  },
  'webhooks.test': {
    kind: 'owner',
    input: { endpointId: unusedIds.endpointId },
    answer: 'webhook_endpoint_not_found',
  },
  'webhooks.listDeliveries': { kind: 'member' },
  'webhooks.getDelivery': {
    kind: 'member',
    input: { deliveryId: unusedIds.deliveryId },
    answer: 'webhook_delivery_not_found',
  },
  'webhooks.replay': {
    kind: 'owner',
    input: { deliveryId: unusedIds.deliveryId },
    answer: 'webhook_delivery_not_found',
  },
  'usage.get': { kind: 'member' },
  'billing.get': { kind: 'owner' },
  'billing.setEmail': { kind: 'owner', input: { billingEmail: 'bills@example.com' } },
  'queue.get': { kind: 'member' },
  'queue.list': { kind: 'operator' },
  'queue.workers': { kind: 'operator' },
  'auditLog.list': { kind: 'owner' },
  'auditLog.listAll': { kind: 'operator' },
};

const procedures = adminRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: 'query' | 'mutation' } }
>;
const typeOf = (path: string) => procedures[path]?._def.type ?? 'query';

describe('access to the admin router', () => {
  const admin = useAdmin();
  let workspaceId: string;
  const headersOf = new Map<Role, Record<string, string>>([['anonymous', {}]]);
  const people = new Map<Role, TestPerson>();

  before(async () => {
    headersOf.set('tool', { Authorization: `Bearer ${admin().adminToken}` });
    for (const role of ['operator', 'owner', 'member', 'stranger'] as const) {
      const person = await createPerson(admin(), { operator: role === 'operator' });
      people.set(role, person);
      headersOf.set(role, { Cookie: person.cookie });
    }
    const { tool, service } = admin();
    workspaceId = (await tool.workspaces.create.mutate({ name: 'Guarded', plan: 'pro' })).id;
    for (const role of ['owner', 'member'] as const) {
      const call = { workspaceId, userId: people.get(role)?.id ?? '', role, now: Date.now() };
      await inTransaction(service.database.sql, (tx) => addMember(tx, defaultPlans, call));
    }
  });

  const call = (path: string, role: Role, input: object) =>
    callProcedure(admin(), typeOf(path), path, input, headersOf.get(role) ?? {});

  it('has a row for each procedure, and no row for an unknown procedure', () => {
    expect(Object.keys(rows).sort()).to.deep.equal(Object.keys(procedures).sort());
  });

  for (const [path, { kind, input = {}, answer = 'done' }] of Object.entries(rows)) {
    for (const role of roles) {
      const verdict = kinds[kind][role];
      it(`${path} by ${role}: ${verdict}`, async () => {
        const response = await call(path, role, { workspaceId, ...input });
        expect(await answerOf(response)).to.equal(verdict === 'allowed' ? answer : verdict);
      });
    }

    if (kinds[kind].stranger === 'workspace_not_found')
      it(`${path} answers a stranger like for a workspace that does not exist`, async () => {
        const [existing, missing] = await Promise.all(
          [workspaceId, unknownWorkspaceId].map(async (id) => {
            const response = await call(path, 'stranger', { workspaceId: id, ...input });
            const headers = [...response.headers].filter(
              ([name]) => name !== 'x-request-id' && name !== 'date',
            );
            return { status: response.status, headers, text: await response.text() };
          }),
        );
        expect(existing).to.deep.equal(missing);
        expect(existing?.status).to.equal(404);
      });
  }

  it('is checked before the rest of the input is validated', async () => {
    const response = await call('jobs.get', 'stranger', { workspaceId });
    expect(await answerOf(response)).to.equal('workspace_not_found');
  });

  it('writes an audit entry for each change', async () => {
    const changes = Object.entries(rows).filter(
      ([path, { answer = 'done' }]) => typeOf(path) === 'mutation' && answer === 'done',
    );
    const marker = randomUUID();
    // An operator may call all of them, with any plan.
    const actor = people.get('operator')?.id ?? '';
    for (const [path, { input = {} }] of changes) {
      if (path === 'jobs.rerun') continue;
      const { sql } = admin().service.database;
      const count = async () =>
        (await sql`select 1 from audit_log where action = ${path} and actor = ${actor}`).length;
      const before = await count();
      await call(path, 'operator', { workspaceId, ...input, name: marker, plan: 'pro' });
      expect(await count(), path).to.equal(before + 1);
    }
    expect(changes.length).to.be.greaterThan(4);
  });

  it('lets only operators create a workspace on another plan than blank', async () => {
    const input = { name: 'Free of charge', plan: 'pro' };
    expect(await answerOf(await call('workspaces.create', 'owner', input))).to.equal('forbidden');
    expect(await answerOf(await call('workspaces.create', 'operator', input))).to.equal('done');
  });

  it('is denied for a wrong token, even with the cookie of an owner', async () => {
    const headers = { ...headersOf.get('owner'), Authorization: `Bearer ${'x'.repeat(64)}` };
    const response = await callProcedure(
      admin(),
      'query',
      'workspaces.get',
      { workspaceId },
      headers,
    );
    expect(await answerOf(response)).to.equal('unauthorized');
  });
});
