import { expect } from 'chai';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import { type WebhookEvent, webhookEventSchema } from '../../contracts/rest/schemas/webhooks.ts';
import { type Network, systemNetwork } from '../../network/network.ts';
import { cancelRenderJob, stopRenderJob } from '../../store/jobs/end-render-job.ts';
import { deleteOutput } from '../../store/jobs/outputs.ts';
import {
  getWebhookDeliveryAnswer,
  listWebhookDeliveries,
} from '../../store/webhooks/webhook-deliveries.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../../store/webhooks/webhook-endpoints.ts';
import { replayWebhookDelivery, sendTestWebhook } from '../../store/webhooks/webhook-events.ts';
import { poll } from '../support/poll.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { type Job, plans, type Workspace } from './fixtures.ts';
import { fetchHistory, historyBytes, scheduledActivities } from './histories.ts';
import { type Rig, startRig } from './workflow-fixture.ts';

/** Ten attempts, as in production, that do not make a test wait. */
const shortScheduleMs = [0, 20, 20, 20, 20, 20, 20, 20, 20, 20];
/** Temporal's timers take up to a second each. */
const scheduleTimeoutMs = 40_000;
const linkLifetimeMs = 600_000;
const minuteMs = 60_000;
const dayMs = 24 * 3_600_000;
/** Never dialled: refused before. */
const privateAddress = '10.1.2.3';

interface Subscriber {
  readonly workspace: Workspace;
  readonly endpointId: string;
  readonly secret: string;
  readonly path: string;
}

describe('a webhook', () => {
  let rig: Rig;
  let receiver: Receiver;
  const dialled: string[] = [];
  let paths = 0;

  before(async () => {
    receiver = await startReceiver();
    const network: Network = {
      resolve: async (host) =>
        host === 'inside.example' ? [privateAddress] : systemNetwork.resolve(host),
      dial(address, port) {
        dialled.push(address);
        if (address === privateAddress) throw new Error('A private address was dialled.');
        return systemNetwork.dial(address, port);
      },
    };
    rig = await startRig({ webhooks: { ...options(), attemptTimeoutMs: 1_000, network } });
  });
  after(async () => {
    await rig?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
  });

  /** Deliveries of other tests may still be on their way to the receiver. */
  const beyondLoopback = () => dialled.filter((address) => address !== '127.0.0.1');

  const options = () => ({
    retryScheduleMs: shortScheduleMs,
    egressAllow: [`127.0.0.1:${receiver.port}`],
  });

  /** A workspace of its own with one endpoint. */
  const subscribe = async (): Promise<Subscriber> => {
    const workspace = await rig.createWorkspace('self_hosted');
    const path = `/hooks/${++paths}`;
    const { endpoint, secret } = await createWebhookEndpoint(
      rig.store.sql,
      rig.store.webhookSecrets,
      { workspaceId: workspace.id, url: receiver.url(path), ...options(), now: Date.now() },
    );
    return { workspace, endpointId: endpoint.id, secret, path };
  };

  const list = async ({ workspace }: Subscriber) => {
    const query = { limit: 100 };
    return (await listWebhookDeliveries(rig.store.sql, rig.store.cursors, workspace.id, query))
      .items;
  };

  /** Polls until the newest delivery has that state; it and its attempts. */
  const delivered = (subscriber: Subscriber, state: 'succeeded' | 'failed') =>
    poll(
      `a delivery that ${state}`,
      async () => {
        const [newest] = await list(subscriber);
        if (newest?.state !== state) return undefined;
        return getWebhookDeliveryAnswer(rig.store.sql, subscriber.workspace.id, newest.id);
      },
      scheduleTimeoutMs,
    );

  /** Polls until the newest delivery was tried once; it and its attempts. */
  const attempted = (subscriber: Subscriber) =>
    poll('an attempt', async () => {
      const [newest] = await list(subscriber);
      return newest?.attempts
        ? getWebhookDeliveryAnswer(rig.store.sql, subscriber.workspace.id, newest.id)
        : undefined;
    });

  const endpointOf = async ({ workspace }: Subscriber) => {
    const [endpoint] = await listWebhookEndpoints(rig.store.sql, workspace.id);
    if (!endpoint) throw new Error('No endpoint.');
    return endpoint;
  };

  const tell = async ({ workspace }: Subscriber): Promise<Job> => {
    const job = await rig.post({ workspace });
    await rig.until(job, 'succeeded');
    return job;
  };

  const historyOf = async (deliveryId: string) => {
    const workflowId = workflowIds.deliverWebhook(deliveryId);
    const status = await rig.closed({ workflowId });
    return { status, history: await fetchHistory(rig.temporal, workflowId) };
  };

  it('comes until it is received: one id, each time signed anew, with links that work', async () => {
    const subscriber = await subscribe();
    receiver.answer(subscriber.path, (response, before) =>
      response.writeHead(before < 6 ? 500 : 200).end('thanks'),
    );
    const job = await tell(subscriber);
    const { delivery, attempts } = await delivered(subscriber, 'succeeded');
    const got = receiver.received(subscriber.path);
    expect(got).to.have.lengthOf(7);
    expect(new Set(got.map(({ headers }) => headers['webhook-id']))).to.eql(
      new Set([delivery.eventId]),
    );
    for (const received of got) {
      const event = verify(subscriber.secret, received);
      expect(event.type).to.equal('render_job.terminated');
      expect(event.data.job).to.include({ id: job.jobId, status: 'succeeded' });
      expect(event.data.output).to.include({ state: 'available', renderJobId: job.jobId });
      expect(event.data.pdf).to.include({ state: 'available' });
      expect(event.test).to.equal(undefined);
      expect(Date.parse(event.timestamp)).to.equal(event.data.job.finishedAt);
      expect(Number(received.headers['webhook-timestamp'])).to.be.within(
        Math.floor(received.at / 1_000) - 1,
        Math.ceil(received.at / 1_000),
      );
      const { download, preview } = event.data.access ?? {};
      expect(download?.expiresAt).to.be.within(
        received.at + linkLifetimeMs - 1_000,
        received.at + linkLifetimeMs + 1_000,
      );
      expect(preview?.expiresAt).to.equal(download?.expiresAt);
    }
    const expiries = got.map(({ body }) => eventOf(body).data.access?.download.expiresAt);
    expect(new Set(expiries).size, 'links made anew').to.be.greaterThan(1);

    const last = eventOf(got.at(-1)?.body ?? '').data.access;
    for (const [link, disposition] of [
      [last?.download, 'attachment'],
      [last?.preview, 'inline'],
    ] as const) {
      const pdf = await fetch(link?.url ?? '');
      expect(pdf.status).to.equal(200);
      expect(pdf.headers.get('content-disposition')).to.match(new RegExp(`^${disposition}`));
      expect((await pdf.text()).startsWith('%PDF-')).to.equal(true);
    }
    expect(attempts.map(({ responseStatus }) => responseStatus)).to.eql([
      ...Array(6).fill(500),
      200,
    ]);
    expect(attempts.at(-1)).to.include({ attempt: 7, responseBody: 'thanks' });
  });

  it('leaves no secret and no link that works in history, log or rows', async () => {
    const subscriber = await subscribe();
    // An answer that is what was sent, as debugging receivers give it, plain and encoded once more.
    receiver.answer(subscriber.path, (response) => {
      const sent = receiver.received(subscriber.path).at(-1)?.body ?? '';
      const { url } = eventOf(sent).data.access?.download ?? { url: '' };
      response
        .writeHead(200, { 'x-link': url })
        .end(JSON.stringify({ sent, encoded: encodeURIComponent(url), padding: '\0' }));
    });
    await tell(subscriber);
    const { delivery, attempts } = await delivered(subscriber, 'succeeded');
    const [received] = receiver.received(subscriber.path);
    const access = eventOf(received?.body ?? '').data.access;
    const { status, history } = await historyOf(delivery.id);
    expect(status).to.equal('COMPLETED');
    expect(scheduledActivities(history)).to.eql(['sendWebhook']);
    const kept = `${historyBytes(history).toString('latin1')}${JSON.stringify(attempts)}`;
    for (const link of [access?.download, access?.preview]) {
      const signature = new URL(link?.url ?? '').searchParams.get('sig') ?? '';
      expect(signature).to.have.length.greaterThan(20);
      expect(kept).not.to.include(signature);
      expect(kept).not.to.include(encodeURIComponent(signature));
      expect(kept).not.to.include(encodeURIComponent(encodeURIComponent(signature)));
    }
    expect(kept).not.to.include(subscriber.secret.slice('whsec_'.length));
    expect(kept).not.to.include(String(received?.headers['webhook-signature']));
    expect(historyBytes(history).includes(subscriber.path), 'the URL').to.equal(false);
    const [row] = await rig.store.sql<{ sealed: string }[]>`
      select encode(secret_sealed, 'escape') as sealed from webhook_endpoints where id = ${subscriber.endpointId}`;
    expect(row?.sealed).not.to.include(subscriber.secret.slice('whsec_'.length));
  });

  it('has failed, with everything in the log, after the last attempt of the schedule', async () => {
    const subscriber = await subscribe();
    receiver.answer(subscriber.path, (response) => response.writeHead(503).end());
    await tell(subscriber);
    const { delivery, attempts } = await delivered(subscriber, 'failed');
    expect(delivery).to.include({ attempts: 10 });
    expect(delivery.nextAttemptAt).to.equal(undefined);
    expect(attempts.map(({ attempt }) => attempt)).to.eql([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(attempts.every(({ responseStatus }) => responseStatus === 503)).to.equal(true);
    expect(receiver.received(subscriber.path)).to.have.lengthOf(10);
    expect((await historyOf(delivery.id)).status).to.equal('FAILED');
    expect(await endpointOf(subscriber)).to.include({ enabled: true });
  });

  it('waits as long as Retry-After asks', async () => {
    const subscriber = await subscribe();
    receiver.answer(subscriber.path, (response, before) =>
      before === 0
        ? response.writeHead(429, { 'retry-after': '1' }).end()
        : response.writeHead(204).end(),
    );
    await tell(subscriber);
    await delivered(subscriber, 'succeeded');
    const [first, second] = receiver.received(subscriber.path);
    // The wait begins where the attempt ends; timers of two processes differ by milliseconds.
    expect((second?.at ?? 0) - (first?.at ?? 0)).to.be.within(950, 20_000);
  });

  it('disables an endpoint that answers 410, at once', async () => {
    const subscriber = await subscribe();
    receiver.answer(subscriber.path, (response) => response.writeHead(410).end());
    await tell(subscriber);
    await delivered(subscriber, 'failed');
    expect(receiver.received(subscriber.path)).to.have.lengthOf(1);
    expect(await endpointOf(subscriber)).to.include({ enabled: false, disabledReason: 'gone' });
    await tell(subscriber);
    expect(await list(subscriber), 'nothing more is owed').to.have.lengthOf(1);
  });

  it('disables an endpoint that has failed for five days and nothing else', async () => {
    const subscriber = await subscribe();
    receiver.answer(subscriber.path, (response) => response.writeHead(500).end());
    const failingSince = (ms: number) => rig.store.sql`
      update webhook_endpoints set failing_since = ${Date.now() - ms} where id = ${subscriber.endpointId}`;
    await failingSince(5 * dayMs - minuteMs);
    await tell(subscriber);
    await attempted(subscriber);
    expect(await endpointOf(subscriber)).to.include({ enabled: true });
    await failingSince(5 * dayMs);
    // What is on its way ends with the endpoint.
    const { delivery } = await delivered(subscriber, 'failed');
    expect(delivery.attempts).to.be.lessThan(shortScheduleMs.length);
    expect(await endpointOf(subscriber)).to.include({ enabled: false, disabledReason: 'failing' });
    await updateWebhookEndpoint(rig.store.sql, {
      workspaceId: subscriber.workspace.id,
      endpointId: subscriber.endpointId,
      enabled: true,
      ...options(),
      now: Date.now(),
    });
    await tell(subscriber);
    await attempted(subscriber);
    expect(await endpointOf(subscriber), 'a clean start').to.include({ enabled: true });
  });

  it('forgets earlier failures when it is received', async () => {
    const subscriber = await subscribe();
    await rig.store.sql`
      update webhook_endpoints set failing_since = ${Date.now() - 4 * dayMs} where id = ${subscriber.endpointId}`;
    await tell(subscriber);
    await delivered(subscriber, 'succeeded');
    const [row] = await rig.store.sql<{ failingSince: number | null }[]>`
      select failing_since from webhook_endpoints where id = ${subscriber.endpointId}`;
    expect(row?.failingSince).to.equal(null);
  });

  it('does not follow a redirect', async () => {
    const subscriber = await subscribe();
    receiver.answer(subscriber.path, (response, before) =>
      before === 0
        ? response.writeHead(307, { location: receiver.url('/elsewhere') }).end()
        : response.writeHead(204).end(),
    );
    await tell(subscriber);
    const { attempts } = await delivered(subscriber, 'succeeded');
    expect(attempts.map(({ responseStatus }) => responseStatus)).to.eql([307, 204]);
    expect(receiver.received('/elsewhere')).to.have.lengthOf(0);
  });

  it('cuts a receiver that does not answer in time, before or within its answer', async () => {
    const subscriber = await subscribe();
    receiver.answer(subscriber.path, (response, before) => {
      if (before === 1) response.writeHead(200).write('slow');
      if (before > 1) response.writeHead(204).end();
    });
    await tell(subscriber);
    const { attempts } = await delivered(subscriber, 'succeeded');
    const late = 'No complete answer arrived within 1 s.';
    expect(attempts.map(({ error }) => error)).to.eql([late, late, undefined]);
    expect(attempts[0]?.durationMs).to.be.within(950, 10_000);
  });

  it('reads no more than 64 KiB of an answer, and keeps little of it', async () => {
    const subscriber = await subscribe();
    let sent = 0;
    const chunk = 'x'.repeat(16 * 1_024);
    receiver.answer(subscriber.path, (response) => {
      response.writeHead(200);
      const send = () => {
        if (response.destroyed) return;
        sent += chunk.length;
        response.write(chunk, () => setImmediate(send));
      };
      send();
    });
    await tell(subscriber);
    const { attempts } = await delivered(subscriber, 'succeeded');
    expect(attempts).to.have.lengthOf(1);
    expect(attempts[0]?.responseBody).to.have.lengthOf(4_097);
    await poll('the receiver to be cut', () => {
      const before = sent;
      return new Promise<boolean>((resolve) => setImmediate(() => resolve(sent === before)));
    });
  });

  it('is not sent to an address that is not public, which is not even dialled', async () => {
    const subscriber = await subscribe();
    await rig.store.sql`
      update webhook_endpoints set url = 'https://inside.example/' where id = ${subscriber.endpointId}`;
    await tell(subscriber);
    const { attempts } = await attempted(subscriber);
    expect(attempts[0]?.error).to.equal('It was not sent: its address is not publicly routable.');
    expect(beyondLoopback()).to.eql([]);
  });

  it('is not sent by plain HTTP where the operator does not allow that host and port', async () => {
    const subscriber = await subscribe();
    await rig.store.sql`
      update webhook_endpoints set url = 'http://example.com/' where id = ${subscriber.endpointId}`;
    await tell(subscriber);
    const { attempts } = await attempted(subscriber);
    expect(attempts[0]?.error).to.equal('It was not sent: the URL is not https.');
    expect(beyondLoopback()).to.eql([]);
  });

  it('is signed by both secrets while they are rotated', async () => {
    const subscriber = await subscribe();
    const { secret } = await rotateWebhookSecret(rig.store.sql, rig.store.webhookSecrets, {
      workspaceId: subscriber.workspace.id,
      endpointId: subscriber.endpointId,
      now: Date.now(),
    });
    expect(secret).not.to.equal(subscriber.secret);
    await tell(subscriber);
    await delivered(subscriber, 'succeeded');
    const [first] = receiver.received(subscriber.path);
    expect(String(first?.headers['webhook-signature']).split(' ')).to.have.lengthOf(2);
    for (const one of [subscriber.secret, secret]) verify(one, first);
    await rig.store.sql`
      update webhook_endpoints set old_secret_ends_at = ${Date.now()} where id = ${subscriber.endpointId}`;
    await tell(subscriber);
    const second = await poll('the second', () => receiver.received(subscriber.path)[1]);
    verify(secret, second);
    expect(() => verify(subscriber.secret, second)).to.throw(WebhookVerificationError);
  });

  it('does not verify when its body or time was changed', async () => {
    const subscriber = await subscribe();
    await tell(subscriber);
    await delivered(subscriber, 'succeeded');
    const [received] = receiver.received(subscriber.path);
    verify(subscriber.secret, received);
    const { headers, body = '' } = received ?? {};
    const webhook = new Webhook(subscriber.secret);
    const given = headers as Record<string, string>;
    expect(() => webhook.verify(body.replace('succeeded', 'failed'), given)).to.throw(
      WebhookVerificationError,
    );
    const old = String(Number(given['webhook-timestamp']) - 600);
    expect(() => webhook.verify(body, { ...given, 'webhook-timestamp': old })).to.throw(
      'Message timestamp too old',
    );
  });

  it('is sent again on demand, under the same id', async () => {
    const subscriber = await subscribe();
    const job = await tell(subscriber);
    const { delivery } = await delivered(subscriber, 'succeeded');
    const { workspace } = subscriber;
    await deleteOutput(rig.store.sql, {
      workspaceId: workspace.id,
      jobId: job.jobId,
      now: Date.now(),
    });
    const replay = await replayWebhookDelivery(rig.store.sql, {
      workspaceId: workspace.id,
      deliveryId: delivery.id,
      now: Date.now(),
    });
    expect(replay).to.include({ eventId: delivery.eventId, state: 'pending', attempts: 0 });
    expect(replay.id).not.to.equal(delivery.id);
    rig.relay.wake();
    const [first, second] = await poll('both', () => {
      const got = receiver.received(subscriber.path);
      return got.length === 2 && got;
    });
    expect(second?.headers['webhook-id']).to.equal(first?.headers['webhook-id']);
    const { data } = verify(subscriber.secret, second);
    expect(data.output).to.include({ state: 'deleted' });
    expect(data.access, 'no link to what was deleted').to.equal(undefined);
  });

  it('can be tried with a test, which says that it is one', async () => {
    const subscriber = await subscribe();
    const { workspace, endpointId, path, secret } = subscriber;
    await sendTestWebhook(rig.store.sql, {
      workspaceId: workspace.id,
      endpointId,
      now: Date.now(),
    });
    rig.relay.wake();
    await delivered(subscriber, 'succeeded');
    const event = verify(secret, receiver.received(path)[0]);
    expect(event.test).to.equal(true);
  });

  it('is told once of each end, however the job ended and however often it is ended', async () => {
    const subscriber = await subscribe();
    const { workspace } = subscriber;
    const failed = await rig.post({ workspace, steps: ['render_failed'] });
    await rig.until(failed, 'failed');
    const canceled = await rig.post({
      workspace,
      steps: ['render_crashed'],
      retryDelaysMs: [minuteMs],
    });
    await rig.until(canceled, 'retry_scheduled');
    await cancelRenderJob(rig.store.sql, plans, {
      jobId: canceled.jobId,
      workspaceId: workspace.id,
      now: Date.now(),
    });
    const stopped = await rig.post({ workspace, steps: ['hold'] });
    await rig.until(stopped, 'rendering');
    await rig.temporal.workflow.getHandle(stopped.workflowId).cancel();
    await rig.until(stopped, 'canceled');
    const succeeded = await tell(subscriber);
    const jobs = [failed, canceled, stopped, succeeded];
    for (const { jobId } of jobs)
      await stopRenderJob(rig.store.sql, plans, {
        jobId,
        workspaceId: workspace.id,
        now: Date.now(),
      });
    rig.relay.wake();
    const got = await poll('all four', () => {
      const requests = receiver.received(subscriber.path);
      return requests.length >= 4 && requests;
    });
    const events = got.map((request) => verify(subscriber.secret, request).data);
    const ends = Object.fromEntries(events.map(({ job }) => [job.id, job.status]));
    expect(ends).to.eql({
      [failed.jobId]: 'failed',
      [canceled.jobId]: 'canceled',
      [stopped.jobId]: 'canceled',
      [succeeded.jobId]: 'succeeded',
    });
    expect(events.filter(({ access }) => access)).to.have.lengthOf(1);
    expect(await list(subscriber)).to.have.lengthOf(4);
  });

  it('goes to every enabled endpoint, and to none of another workspace', async () => {
    const subscriber = await subscribe();
    const stranger = await subscribe();
    const { workspace } = subscriber;
    const add = (path: string) =>
      createWebhookEndpoint(rig.store.sql, rig.store.webhookSecrets, {
        workspaceId: workspace.id,
        url: receiver.url(path),
        ...options(),
        now: Date.now(),
      });
    await add(`${subscriber.path}/second`);
    const { endpoint: silent } = await add(`${subscriber.path}/silent`);
    await updateWebhookEndpoint(rig.store.sql, {
      workspaceId: workspace.id,
      endpointId: silent.id,
      enabled: false,
      ...options(),
      now: Date.now(),
    });
    await tell(subscriber);
    await poll('both endpoints', () =>
      ['', '/second'].every((end) => receiver.received(subscriber.path + end).length === 1),
    );
    expect(await list(subscriber)).to.have.lengthOf(2);
    expect(await list(stranger)).to.have.lengthOf(0);
  });

  it('ends quietly when its endpoint is deleted meanwhile', async () => {
    const subscriber = await subscribe();
    receiver.answer(subscriber.path, (response) =>
      response.writeHead(500, { 'retry-after': '1' }).end(),
    );
    await tell(subscriber);
    const first = await poll('the first attempt', async () => {
      const [newest] = await list(subscriber);
      return newest?.attempts === 1 && newest;
    });
    await deleteWebhookEndpoint(rig.store.sql, {
      workspaceId: subscriber.workspace.id,
      endpointId: subscriber.endpointId,
    });
    expect((await historyOf(first.id)).status).to.equal('COMPLETED');
    expect(receiver.received(subscriber.path)).to.have.lengthOf(1);
  });

  it('goes on where it was when its workflow is lost, and has failed when an operator ends it', async () => {
    const subscriber = await subscribe();
    receiver.answer(subscriber.path, (response, before) =>
      before === 0
        ? response.writeHead(500, { 'retry-after': '3600' }).end()
        : response.writeHead(204).end(),
    );
    await tell(subscriber);
    const first = await poll('the first attempt', async () => {
      const [newest] = await list(subscriber);
      return newest?.attempts === 1 && newest;
    });
    const workflowId = workflowIds.deliverWebhook(first.id);
    await rig.temporal.workflowService.deleteWorkflowExecution({
      namespace: rig.temporal.options.namespace,
      workflowExecution: { workflowId },
    });
    await poll('the workflow to be gone', () =>
      rig.temporal.workflow
        .getHandle(workflowId)
        .describe()
        .then(
          () => false,
          () => true,
        ),
    );
    const handle = rig.temporal.workflow.getHandle(workflowId);
    // Started again, it finds that its attempt is not due for most of an hour. Reconciliation goes by Temporal's visibility,
    // which lags behind.
    await poll('the wait', async () => {
      await rig.reconcile();
      const { raw } = await handle.describe();
      const failure = raw.pendingActivities?.[0]?.lastFailure;
      return failure?.message === 'It is not due yet.';
    });
    expect(receiver.received(subscriber.path)).to.have.lengthOf(1);
    await handle.terminate();
    await poll('the end', () => rig.closed({ workflowId }));
    const ended = await poll('the delivery to have failed', async () => {
      await rig.reconcile();
      const [newest] = await list(subscriber);
      return newest?.state === 'failed' && newest;
    });
    expect(ended.attempts).to.equal(1);
  });
});

const eventOf = (body: string): WebhookEvent => webhookEventSchema.parse(JSON.parse(body));

/** By the public package, as a receiver does it. */
function verify(secret: string, received: Received | undefined): WebhookEvent {
  const { body, headers } = received ?? { body: '', headers: {} };
  return webhookEventSchema.parse(
    new Webhook(secret).verify(body, headers as Record<string, string>),
  );
}
