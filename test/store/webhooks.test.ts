import { expect } from 'chai';
import {
  type WebhookAttempt,
  webhookDeliveryListAnswer,
  webhookEndpointSchema,
} from '../../contracts/admin/webhooks.ts';
import { cleanUp } from '../../store/clean-up.ts';
import { createCursors } from '../../store/database/cursors.ts';
import type { Store } from '../../store/store.ts';
import {
  failDelivery,
  findPendingDelivery,
  getWebhookDeliveryAnswer,
  listWebhookDeliveries,
  recordWebhookAttempt,
} from '../../store/webhooks/webhook-deliveries.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  revealWebhookSecret,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../../store/webhooks/webhook-endpoints.ts';
import { replayWebhookDelivery, sendTestWebhook } from '../../store/webhooks/webhook-events.ts';
import {
  codeOf,
  createDocument,
  createJobIn,
  createTestWorkspace,
  fail,
  noon,
  readJob,
  sealersOf,
  useDatabase,
} from './store-fixture.ts';

const dayMs = 24 * 3_600_000;
const secretKeys = ['a'.repeat(32)];
const sealers = sealersOf(...secretKeys);
const secrets = sealers.webhookSecrets;
const cursors = createCursors(secretKeys);
const url = 'https://example.com/hooks';

describe('webhook endpoints', () => {
  const database = useDatabase();
  const create = (workspaceId: string, change: { url?: string; egressAllow?: string[] } = {}) =>
    createWebhookEndpoint(database().sql, secrets, {
      workspaceId,
      url,
      egressAllow: [],
      now: noon,
      ...change,
    });

  it('are created, changed, rotated and deleted', async () => {
    const { sql } = database();
    const { id: workspaceId } = await createTestWorkspace(sql);
    const { endpoint, secret } = await create(workspaceId);
    expect(webhookEndpointSchema.parse(endpoint)).to.include({ url, enabled: true });
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).to.have.lengthOf(32);
    const key = { workspaceId, endpointId: endpoint.id };
    expect(await revealWebhookSecret(sql, secrets, key)).to.equal(secret);

    const change = { ...key, egressAllow: [], now: noon + 1 };
    const disabled = await updateWebhookEndpoint(sql, { ...change, enabled: false });
    expect(disabled).to.include({ enabled: false, disabledReason: 'manual', disabledAt: noon + 1 });
    const moved = await updateWebhookEndpoint(sql, { ...change, url: `${url}/2`, enabled: true });
    expect(webhookEndpointSchema.parse(moved)).to.include({ enabled: true, url: `${url}/2` });
    expect(moved).not.to.have.any.keys('disabledAt', 'disabledReason');

    const rotated = await rotateWebhookSecret(sql, secrets, { ...key, now: noon });
    expect(rotated.endpoint.oldSecretEndsAt).to.equal(noon + dayMs);
    expect(await revealWebhookSecret(sql, secrets, key)).to.equal(rotated.secret);

    await deleteWebhookEndpoint(sql, key);
    expect(await listWebhookEndpoints(sql, workspaceId)).to.eql([]);
    expect(await codeOf(deleteWebhookEndpoint(sql, key))).to.equal('webhook_endpoint_not_found');
  });

  it('require https, unless the operator allows their host and port', async () => {
    const { id } = await createTestWorkspace(database().sql);
    const egressAllow = ['127.0.0.1:8080'];
    const allowed = { url: 'http://127.0.0.1:8080/', egressAllow };
    const { endpoint } = await create(id, allowed);
    for (const plain of ['http://example.com/', 'http://127.0.0.1:8081/', 'http://localhost:8080/'])
      for (const change of [
        () => create(id, { url: plain, egressAllow }),
        () =>
          updateWebhookEndpoint(database().sql, {
            workspaceId: id,
            endpointId: endpoint.id,
            url: plain,
            egressAllow,
            now: noon,
          }),
      ])
        expect(await codeOf(change())).to.equal('invalid_request');
  });

  it('are at most ten, even if many are created at once', async () => {
    const { sql } = database();
    const { id } = await createTestWorkspace(sql);
    const codes = await Promise.all(
      Array.from({ length: 12 }, () =>
        create(id).then(
          () => 'created',
          (error) => error.code,
        ),
      ),
    );
    expect(codes.filter((code) => code === 'created')).to.have.lengthOf(10);
    expect(codes).to.include('webhook_endpoint_limit_exceeded');
  });

  it('and deliveries of another workspace are answered like ones that do not exist', async () => {
    const { sql } = database();
    const [{ id: owner }, { id: workspaceId }] = [
      await createTestWorkspace(sql),
      await createTestWorkspace(sql),
    ];
    const { endpoint } = await create(owner);
    const delivery = await sendTestWebhook(sql, {
      workspaceId: owner,
      endpointId: endpoint.id,
      now: noon,
    });
    const key = { workspaceId, endpointId: endpoint.id, egressAllow: [], now: noon };
    const onEndpoint = {
      update: () => updateWebhookEndpoint(sql, { ...key, enabled: false }),
      delete: () => deleteWebhookEndpoint(sql, key),
      rotate: () => rotateWebhookSecret(sql, secrets, key),
      reveal: () => revealWebhookSecret(sql, secrets, key),
      test: () => sendTestWebhook(sql, key),
    };
    for (const [name, call] of Object.entries(onEndpoint))
      expect(await codeOf(call()), name).to.equal('webhook_endpoint_not_found');
    const onDelivery = {
      get: () => getWebhookDeliveryAnswer(sql, workspaceId, delivery.id),
      replay: () => replayWebhookDelivery(sql, { workspaceId, deliveryId: delivery.id, now: noon }),
    };
    for (const [name, call] of Object.entries(onDelivery))
      expect(await codeOf(call()), name).to.equal('webhook_delivery_not_found');
    const query = { endpointId: endpoint.id, limit: 10 };
    expect((await listWebhookDeliveries(sql, cursors, workspaceId, query)).items).to.eql([]);
    expect((await listWebhookDeliveries(sql, cursors, owner, query)).items).to.have.lengthOf(1);
    expect(await listWebhookEndpoints(sql, workspaceId)).to.eql([]);
  });

  it('get nothing while they are disabled, also no test and no replay', async () => {
    const { sql } = database();
    const { id: workspaceId } = await createTestWorkspace(sql);
    const { endpoint } = await create(workspaceId);
    const key = { workspaceId, endpointId: endpoint.id, now: noon };
    const { id: deliveryId } = await sendTestWebhook(sql, key);
    await updateWebhookEndpoint(sql, { ...key, enabled: false, egressAllow: [] });
    const disabled = 'webhook_endpoint_disabled';
    expect(await codeOf(sendTestWebhook(sql, key))).to.equal(disabled);
    expect(
      await codeOf(replayWebhookDelivery(sql, { workspaceId, deliveryId, now: noon })),
    ).to.equal(disabled);
  });
});

describe('webhook deliveries', () => {
  const database = useDatabase();

  /** Creates a workspace with an endpoint. */
  const createSubscriber = async () => {
    const { sql } = database();
    const document = await createDocument(sql);
    const workspaceId = document.workspace.id;
    const { endpoint } = await createWebhookEndpoint(sql, secrets, {
      workspaceId,
      url,
      egressAllow: [],
      now: noon,
    });
    return { document, workspaceId, endpointId: endpoint.id, now: noon };
  };

  const attemptOf = (attempt: number): WebhookAttempt => ({
    attempt,
    startedAt: noon,
    durationMs: 1,
    requestHeaders: { 'webhook-id': 'evt' },
    requestBody: '{}',
    responseStatus: 500,
    responseHeaders: {},
    responseBody: '',
  });

  it('are enqueued in the transaction that ends a job, and not if it is rolled back', async () => {
    const { sql } = database();
    const { document, workspaceId } = await createSubscriber();
    const job = await createJobIn(sql, document, 'rendering');
    await sql`alter table webhook_deliveries add constraint refuse check (event_id = '') not valid`;
    const refused = await fail(sql, job).catch((error: Error) => error.message);
    await sql`alter table webhook_deliveries drop constraint refuse`;
    expect(refused).to.include('refuse');
    const { jobId } = await readJob(sql, job.jobId);
    const [row] = await sql`select status from render_jobs where id = ${jobId}`;
    expect(row?.status, 'the job').to.equal('rendering');
    expect(await fail(sql, job)).to.equal('failed');
    expect(await fail(sql, job), 'again').to.equal(undefined);
    const { items } = await listWebhookDeliveries(sql, cursors, workspaceId, { limit: 10 });
    expect(items.map((item) => [item.jobId, item.state])).to.eql([[jobId, 'pending']]);
    const enqueued =
      await sql`select message from outbox where workflow_id = ${`webhook/${items[0]?.id}`}`;
    expect(enqueued).to.have.lengthOf(1);
  });

  it('are listed newest first, page by page, by endpoint and state', async () => {
    const { sql } = database();
    const key = await createSubscriber();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await sendTestWebhook(sql, key)).id);
    await failDelivery(sql, String(ids[4]), noon);
    const page = async (query: object) =>
      listWebhookDeliveries(sql, cursors, key.workspaceId, { limit: 2, ...query });
    const first = await page({ state: 'pending' });
    const second = await page({ state: 'pending', cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).to.eql(ids.slice(0, 4));
    expect(webhookDeliveryListAnswer.parse(first)).to.eql(first);
    expect(second.nextCursor).to.equal(undefined);
    expect((await page({ state: 'failed' })).items.map(({ id }) => id)).to.eql([ids[4]]);
    expect(await codeOf(page({ state: 'failed', cursor: first.nextCursor }))).to.equal(
      'invalid_cursor',
    );
  });

  it('record each attempt once, and none after they have ended', async () => {
    const { sql } = database();
    const key = await createSubscriber();
    const { id: deliveryId } = await sendTestWebhook(sql, key);
    const record = (attempt: number, state: 'pending' | 'succeeded') =>
      recordWebhookAttempt(sql, {
        deliveryId,
        url,
        attempt: attemptOf(attempt),
        verdict: state === 'pending' ? { state, nextAttemptAt: noon + 5 } : { state },
        now: noon,
      });
    expect(await record(1, 'pending')).to.equal(true);
    expect(await record(1, 'pending'), 'the same again').to.equal(false);
    const pending = await findPendingDelivery(sql, secrets, deliveryId, noon);
    expect(pending).to.include({ attempts: 1, nextAttemptAt: noon + 5, jobId: null });
    expect(await record(2, 'succeeded')).to.equal(true);
    expect(await record(3, 'succeeded'), 'after its end').to.equal(false);
    await failDelivery(sql, deliveryId, noon);
    const { delivery, attempts } = await getWebhookDeliveryAnswer(sql, key.workspaceId, deliveryId);
    expect(delivery).to.include({ state: 'succeeded', attempts: 2, finishedAt: noon });
    expect(attempts).to.eql([attemptOf(1), attemptOf(2)]);
  });

  it('disable an endpoint that is gone, but not if its URL changed during the attempt', async () => {
    const { sql } = database();
    const key = await createSubscriber();
    const { workspaceId } = key;
    const endAsGone = async () =>
      recordWebhookAttempt(sql, {
        deliveryId: (await sendTestWebhook(sql, key)).id,
        url,
        attempt: attemptOf(1),
        verdict: { state: 'failed', gone: true },
        now: noon,
      });
    const moved = { ...key, url: `${url}/moved`, egressAllow: [] };
    const getEndpoint = async () => (await listWebhookEndpoints(sql, workspaceId))[0];
    await updateWebhookEndpoint(sql, moved);
    await endAsGone();
    expect(await getEndpoint()).to.include({ enabled: true });
    await updateWebhookEndpoint(sql, { ...moved, url });
    await endAsGone();
    expect(await getEndpoint()).to.include({ enabled: false, disabledReason: 'gone' });
  });

  it('and their log are deleted 30 days after their end, with events that have no delivery', async () => {
    const { sql } = database();
    const run = async (now: number) =>
      (await cleanUp({ sql, blobs: noBlobs, ...sealers }, now)).webhookDeliveries;
    await run(noon + 31 * dayMs);
    const key = await createSubscriber();
    const ended = await sendTestWebhook(sql, key);
    const pending = await sendTestWebhook(sql, key);
    await recordWebhookAttempt(sql, {
      deliveryId: ended.id,
      url,
      attempt: attemptOf(1),
      verdict: { state: 'failed', gone: false },
      now: noon,
    });
    expect(await run(noon + 30 * dayMs)).to.equal(0);
    expect(await run(noon + 30 * dayMs + 1)).to.equal(1);
    expect(await codeOf(getWebhookDeliveryAnswer(sql, key.workspaceId, ended.id))).to.equal(
      'webhook_delivery_not_found',
    );
    const rows = async (table: string, column: string, id: string) =>
      (await sql`select 1 from ${sql(table)} where ${sql(column)} = ${id}`).length;
    expect(await rows('webhook_attempts', 'delivery_id', ended.id)).to.equal(0);
    expect(await rows('webhook_events', 'id', ended.eventId)).to.equal(0);
    expect(await rows('webhook_events', 'id', pending.eventId)).to.equal(1);
    expect(await rows('webhook_deliveries', 'id', pending.id)).to.equal(1);
  });
});

/** A storage that deletes nothing. Another suite tests how the clean-up deletes blobs. */
const noBlobs = { delete: async () => {} } as unknown as Store['blobs'];
