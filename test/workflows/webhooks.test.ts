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
import { type Received, startReceiver } from '../support/receiver.ts';
import { startForSuite } from '../support/suite-resources.ts';
import { type Job, plans, type Workspace } from './fixtures.ts';
import { fetchHistory, historyBytes, scheduledActivities } from './histories.ts';
import { startInProcessService } from './workflow-fixture.ts';

/** Ten attempts, as in production, with delays so short that tests need not wait. */
const shortScheduleMs = [0, 20, 20, 20, 20, 20, 20, 20, 20, 20];
/** Each timer of Temporal takes up to a second. */
const scheduleTimeoutMs = 40_000;
const linkLifetimeMs = 600_000;
const minuteMs = 60_000;
const dayMs = 24 * 3_600_000;
/** No webhook may dial this address. */
const privateAddress = '10.1.2.3';

interface Subscriber {
  readonly workspace: Workspace;
  readonly endpointId: string;
  readonly secret: string;
  readonly path: string;
}

describe('a webhook', () => {
  const dialled: string[] = [];
  let paths = 0;

  const network: Network = {
    resolve: async (host) =>
      host === 'inside.example' ? [privateAddress] : systemNetwork.resolve(host),
    dial(address, port) {
      dialled.push(address);
      if (address === privateAddress) throw new Error('A private address was dialled.');
      return systemNetwork.dial(address, port);
    },
  };
  const receiver = startForSuite(startReceiver);
  const service = startForSuite(() =>
    startInProcessService({ webhooks: { ...options(), attemptTimeoutMs: 1_000, network } }),
  );

  /** All dialled addresses except the receiver's. Other tests may still send webhooks to that. */
  const dialledBeyondLoopback = () => dialled.filter((address) => address !== '127.0.0.1');

  const options = () => ({
    retryScheduleMs: shortScheduleMs,
    egressAllow: [`127.0.0.1:${receiver().port}`],
  });

  /** Creates a workspace with one endpoint. */
  const subscribe = async (): Promise<Subscriber> => {
    const workspace = await service().createWorkspace('self_hosted');
    const path = `/hooks/${++paths}`;
    const { endpoint, secret } = await createWebhookEndpoint(
      service().store.sql,
      service().store.webhookSecrets,
      { workspaceId: workspace.id, url: receiver().url(path), ...options(), now: Date.now() },
    );
    return { workspace, endpointId: endpoint.id, secret, path };
  };

  const list = async ({ workspace }: Subscriber) => {
    const query = { limit: 100 };
    return (
      await listWebhookDeliveries(service().store.sql, service().store.cursors, workspace.id, query)
    ).items;
  };

  /** Polls until the newest delivery has this state. Returns it with its attempts. */
  const waitForState = (subscriber: Subscriber, state: 'succeeded' | 'failed') =>
    poll(
      `a delivery that ${state}`,
      async () => {
        const [newest] = await list(subscriber);
        if (newest?.state !== state) return undefined;
        return getWebhookDeliveryAnswer(service().store.sql, subscriber.workspace.id, newest.id);
      },
      scheduleTimeoutMs,
    );

  /** Polls until the newest delivery has an attempt. Returns it with its attempts. */
  const waitForAttempt = (subscriber: Subscriber) =>
    poll('an attempt', async () => {
      const [newest] = await list(subscriber);
      return newest?.attempts
        ? getWebhookDeliveryAnswer(service().store.sql, subscriber.workspace.id, newest.id)
        : undefined;
    });

  const endpointOf = async ({ workspace }: Subscriber) => {
    const [endpoint] = await listWebhookEndpoints(service().store.sql, workspace.id);
    if (!endpoint) throw new Error('No endpoint.');
    return endpoint;
  };

  const triggerWebhook = async ({ workspace }: Subscriber): Promise<Job> => {
    const job = await service().createJob({ workspace });
    await service().waitForStatus(job, 'succeeded');
    return job;
  };

  const historyOf = async (deliveryId: string) => {
    const workflowId = workflowIds.deliverWebhook(deliveryId);
    const status = await service().waitForClose({ workflowId });
    return { status, history: await fetchHistory(service().temporal, workflowId) };
  };

  it('is sent until it is received: with one id, a new signature each time, and links that work', async () => {
    const subscriber = await subscribe();
    receiver().answer(subscriber.path, (response, before) =>
      response.writeHead(before < 6 ? 500 : 200).end('thanks'),
    );
    const job = await triggerWebhook(subscriber);
    const { delivery, attempts } = await waitForState(subscriber, 'succeeded');
    const got = receiver().received(subscriber.path);
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
    expect(new Set(expiries).size, 'new links').to.be.greaterThan(1);

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

  it('stores no secret and no working link in history, log or database', async () => {
    const subscriber = await subscribe();
    // The answer repeats the request, as receivers for debugging do, also encoded once more.
    receiver().answer(subscriber.path, (response) => {
      const sent = receiver().received(subscriber.path).at(-1)?.body ?? '';
      const { url } = eventOf(sent).data.access?.download ?? { url: '' };
      response
        .writeHead(200, { 'x-link': url })
        .end(JSON.stringify({ sent, encoded: encodeURIComponent(url), padding: '\0' }));
    });
    await triggerWebhook(subscriber);
    const { delivery, attempts } = await waitForState(subscriber, 'succeeded');
    const [received] = receiver().received(subscriber.path);
    const access = eventOf(received?.body ?? '').data.access;
    const { status, history } = await historyOf(delivery.id);
    expect(status).to.equal('COMPLETED');
    expect(scheduledActivities(history)).to.eql(['sendWebhook']);
    const stored = `${historyBytes(history).toString('latin1')}${JSON.stringify(attempts)}`;
    for (const link of [access?.download, access?.preview]) {
      const signature = new URL(link?.url ?? '').searchParams.get('sig') ?? '';
      expect(signature).to.have.length.greaterThan(20);
      expect(stored).not.to.include(signature);
      expect(stored).not.to.include(encodeURIComponent(signature));
      expect(stored).not.to.include(encodeURIComponent(encodeURIComponent(signature)));
    }
    expect(stored).not.to.include(subscriber.secret.slice('whsec_'.length));
    expect(stored).not.to.include(String(received?.headers['webhook-signature']));
    expect(historyBytes(history).includes(subscriber.path), 'the URL').to.equal(false);
    const [row] = await service().store.sql<{ sealed: string }[]>`
      select encode(secret_sealed, 'escape') as sealed from webhook_endpoints where id = ${subscriber.endpointId}`;
    expect(row?.sealed).not.to.include(subscriber.secret.slice('whsec_'.length));
  });

  it('fails after the last attempt of the schedule, and the log has all attempts', async () => {
    const subscriber = await subscribe();
    receiver().answer(subscriber.path, (response) => response.writeHead(503).end());
    await triggerWebhook(subscriber);
    const { delivery, attempts } = await waitForState(subscriber, 'failed');
    expect(delivery).to.include({ attempts: 10 });
    expect(delivery.nextAttemptAt).to.equal(undefined);
    expect(attempts.map(({ attempt }) => attempt)).to.eql([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(attempts.every(({ responseStatus }) => responseStatus === 503)).to.equal(true);
    expect(receiver().received(subscriber.path)).to.have.lengthOf(10);
    expect((await historyOf(delivery.id)).status).to.equal('FAILED');
    expect(await endpointOf(subscriber)).to.include({ enabled: true });
  });

  it('waits as long as Retry-After asks', async () => {
    const subscriber = await subscribe();
    receiver().answer(subscriber.path, (response, before) =>
      before === 0
        ? response.writeHead(429, { 'retry-after': '1' }).end()
        : response.writeHead(204).end(),
    );
    await triggerWebhook(subscriber);
    await waitForState(subscriber, 'succeeded');
    const [first, second] = receiver().received(subscriber.path);
    // The wait starts when the attempt ends. The timers of two processes differ by milliseconds.
    expect((second?.at ?? 0) - (first?.at ?? 0)).to.be.within(950, 20_000);
  });

  it('disables an endpoint at once when it answers 410', async () => {
    const subscriber = await subscribe();
    receiver().answer(subscriber.path, (response) => response.writeHead(410).end());
    await triggerWebhook(subscriber);
    await waitForState(subscriber, 'failed');
    expect(receiver().received(subscriber.path)).to.have.lengthOf(1);
    expect(await endpointOf(subscriber)).to.include({ enabled: false, disabledReason: 'gone' });
    await triggerWebhook(subscriber);
    expect(await list(subscriber), 'no second delivery').to.have.lengthOf(1);
  });

  it('disables an endpoint when it has only failed for five days', async () => {
    const subscriber = await subscribe();
    receiver().answer(subscriber.path, (response) => response.writeHead(500).end());
    const failingSince = (ms: number) => service().store.sql`
      update webhook_endpoints set failing_since = ${Date.now() - ms} where id = ${subscriber.endpointId}`;
    await failingSince(5 * dayMs - minuteMs);
    await triggerWebhook(subscriber);
    await waitForAttempt(subscriber);
    expect(await endpointOf(subscriber)).to.include({ enabled: true });
    await failingSince(5 * dayMs);
    // A pending delivery fails when its endpoint is disabled.
    const { delivery } = await waitForState(subscriber, 'failed');
    expect(delivery.attempts).to.be.lessThan(shortScheduleMs.length);
    expect(await endpointOf(subscriber)).to.include({ enabled: false, disabledReason: 'failing' });
    await updateWebhookEndpoint(service().store.sql, {
      workspaceId: subscriber.workspace.id,
      endpointId: subscriber.endpointId,
      enabled: true,
      ...options(),
      now: Date.now(),
    });
    await triggerWebhook(subscriber);
    await waitForAttempt(subscriber);
    expect(await endpointOf(subscriber), 'earlier failures are forgotten').to.include({
      enabled: true,
    });
  });

  it('resets the time of the first failure when it is received', async () => {
    const subscriber = await subscribe();
    await service().store.sql`
      update webhook_endpoints set failing_since = ${Date.now() - 4 * dayMs} where id = ${subscriber.endpointId}`;
    await triggerWebhook(subscriber);
    await waitForState(subscriber, 'succeeded');
    const [row] = await service().store.sql<{ failingSince: number | null }[]>`
      select failing_since from webhook_endpoints where id = ${subscriber.endpointId}`;
    expect(row?.failingSince).to.equal(null);
  });

  it('does not follow a redirect', async () => {
    const subscriber = await subscribe();
    receiver().answer(subscriber.path, (response, before) =>
      before === 0
        ? response.writeHead(307, { location: receiver().url('/elsewhere') }).end()
        : response.writeHead(204).end(),
    );
    await triggerWebhook(subscriber);
    const { attempts } = await waitForState(subscriber, 'succeeded');
    expect(attempts.map(({ responseStatus }) => responseStatus)).to.eql([307, 204]);
    expect(receiver().received('/elsewhere')).to.have.lengthOf(0);
  });

  it('stops waiting for a receiver that does not start or end its answer in time', async () => {
    const subscriber = await subscribe();
    receiver().answer(subscriber.path, (response, before) => {
      if (before === 1) response.writeHead(200).write('slow');
      if (before > 1) response.writeHead(204).end();
    });
    await triggerWebhook(subscriber);
    const { attempts } = await waitForState(subscriber, 'succeeded');
    const late = 'No complete answer arrived within 1 s.';
    expect(attempts.map(({ error }) => error)).to.eql([late, late, undefined]);
    expect(attempts[0]?.durationMs).to.be.within(950, 10_000);
  });

  it('reads at most 64 KiB of an answer and stores 4 KiB of it', async () => {
    const subscriber = await subscribe();
    let sent = 0;
    const chunk = 'x'.repeat(16 * 1_024);
    receiver().answer(subscriber.path, (response) => {
      response.writeHead(200);
      const send = () => {
        if (response.destroyed) return;
        sent += chunk.length;
        response.write(chunk, () => setImmediate(send));
      };
      send();
    });
    await triggerWebhook(subscriber);
    const { attempts } = await waitForState(subscriber, 'succeeded');
    expect(attempts).to.have.lengthOf(1);
    expect(attempts[0]?.responseBody).to.have.lengthOf(4_097);
    await poll('the connection to be closed', () => {
      const before = sent;
      return new Promise<boolean>((resolve) => setImmediate(() => resolve(sent === before)));
    });
  });

  it('is not sent to a private address, which is not even dialled', async () => {
    const subscriber = await subscribe();
    await service().store.sql`
      update webhook_endpoints set url = 'https://inside.example/' where id = ${subscriber.endpointId}`;
    await triggerWebhook(subscriber);
    const { attempts } = await waitForAttempt(subscriber);
    expect(attempts[0]?.error).to.equal('It was not sent: its address is not publicly routable.');
    expect(dialledBeyondLoopback()).to.eql([]);
  });

  it('is not sent by plain HTTP, unless the operator allows that host and port', async () => {
    const subscriber = await subscribe();
    await service().store.sql`
      update webhook_endpoints set url = 'http://example.com/' where id = ${subscriber.endpointId}`;
    await triggerWebhook(subscriber);
    const { attempts } = await waitForAttempt(subscriber);
    expect(attempts[0]?.error).to.equal('It was not sent: the URL is not https.');
    expect(dialledBeyondLoopback()).to.eql([]);
  });

  it('is signed with both secrets during a rotation', async () => {
    const subscriber = await subscribe();
    const { secret } = await rotateWebhookSecret(
      service().store.sql,
      service().store.webhookSecrets,
      {
        workspaceId: subscriber.workspace.id,
        endpointId: subscriber.endpointId,
        now: Date.now(),
      },
    );
    expect(secret).not.to.equal(subscriber.secret);
    await triggerWebhook(subscriber);
    await waitForState(subscriber, 'succeeded');
    const [first] = receiver().received(subscriber.path);
    expect(String(first?.headers['webhook-signature']).split(' ')).to.have.lengthOf(2);
    for (const one of [subscriber.secret, secret]) verify(one, first);
    await service().store.sql`
      update webhook_endpoints set old_secret_ends_at = ${Date.now()} where id = ${subscriber.endpointId}`;
    await triggerWebhook(subscriber);
    const second = await poll('the second', () => receiver().received(subscriber.path)[1]);
    verify(secret, second);
    expect(() => verify(subscriber.secret, second)).to.throw(WebhookVerificationError);
  });

  it('does not verify when its body or timestamp was changed', async () => {
    const subscriber = await subscribe();
    await triggerWebhook(subscriber);
    await waitForState(subscriber, 'succeeded');
    const [received] = receiver().received(subscriber.path);
    verify(subscriber.secret, received);
    const { headers, body = '' } = received ?? {};
    const webhook = new Webhook(subscriber.secret);
    const validHeaders = headers as Record<string, string>;
    expect(() => webhook.verify(body.replace('succeeded', 'failed'), validHeaders)).to.throw(
      WebhookVerificationError,
    );
    const old = String(Number(validHeaders['webhook-timestamp']) - 600);
    expect(() => webhook.verify(body, { ...validHeaders, 'webhook-timestamp': old })).to.throw(
      'Message timestamp too old',
    );
  });

  it('is sent again on demand, with the same id', async () => {
    const subscriber = await subscribe();
    const job = await triggerWebhook(subscriber);
    const { delivery } = await waitForState(subscriber, 'succeeded');
    const { workspace } = subscriber;
    await deleteOutput(service().store.sql, {
      workspaceId: workspace.id,
      jobId: job.jobId,
      now: Date.now(),
    });
    const replay = await replayWebhookDelivery(service().store.sql, {
      workspaceId: workspace.id,
      deliveryId: delivery.id,
      now: Date.now(),
    });
    expect(replay).to.include({ eventId: delivery.eventId, state: 'pending', attempts: 0 });
    expect(replay.id).not.to.equal(delivery.id);
    service().relay.wake();
    const [first, second] = await poll('both', () => {
      const got = receiver().received(subscriber.path);
      return got.length === 2 && got;
    });
    expect(second?.headers['webhook-id']).to.equal(first?.headers['webhook-id']);
    const { data } = verify(subscriber.secret, second);
    expect(data.output).to.include({ state: 'deleted' });
    expect(data.access, 'no link to a deleted output').to.equal(undefined);
  });

  it('can be a test, which says so', async () => {
    const subscriber = await subscribe();
    const { workspace, endpointId, path, secret } = subscriber;
    await sendTestWebhook(service().store.sql, {
      workspaceId: workspace.id,
      endpointId,
      now: Date.now(),
    });
    service().relay.wake();
    await waitForState(subscriber, 'succeeded');
    const event = verify(secret, receiver().received(path)[0]);
    expect(event.test).to.equal(true);
  });

  it('is sent once for each job that ends, also when the job is ended twice', async () => {
    const subscriber = await subscribe();
    const { workspace } = subscriber;
    const failed = await service().createJob({ workspace, steps: ['render_failed'] });
    await service().waitForStatus(failed, 'failed');
    const canceled = await service().createJob({
      workspace,
      steps: ['render_crashed'],
      retryDelaysMs: [minuteMs],
    });
    await service().waitForStatus(canceled, 'retry_scheduled');
    await cancelRenderJob(service().store.sql, plans, {
      jobId: canceled.jobId,
      workspaceId: workspace.id,
      now: Date.now(),
    });
    const stopped = await service().createJob({ workspace, steps: ['hold'] });
    await service().waitForStatus(stopped, 'rendering');
    await service().temporal.workflow.getHandle(stopped.workflowId).cancel();
    await service().waitForStatus(stopped, 'canceled');
    const succeeded = await triggerWebhook(subscriber);
    const jobs = [failed, canceled, stopped, succeeded];
    for (const { jobId } of jobs)
      await stopRenderJob(service().store.sql, plans, {
        jobId,
        workspaceId: workspace.id,
        now: Date.now(),
      });
    service().relay.wake();
    const got = await poll('all four', () => {
      const requests = receiver().received(subscriber.path);
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

  it('is sent to each enabled endpoint of the workspace, and to no other workspace', async () => {
    const subscriber = await subscribe();
    const stranger = await subscribe();
    const { workspace } = subscriber;
    const add = (path: string) =>
      createWebhookEndpoint(service().store.sql, service().store.webhookSecrets, {
        workspaceId: workspace.id,
        url: receiver().url(path),
        ...options(),
        now: Date.now(),
      });
    await add(`${subscriber.path}/second`);
    const { endpoint: silent } = await add(`${subscriber.path}/silent`);
    await updateWebhookEndpoint(service().store.sql, {
      workspaceId: workspace.id,
      endpointId: silent.id,
      enabled: false,
      ...options(),
      now: Date.now(),
    });
    await triggerWebhook(subscriber);
    await poll('both endpoints', () =>
      ['', '/second'].every((end) => receiver().received(subscriber.path + end).length === 1),
    );
    expect(await list(subscriber)).to.have.lengthOf(2);
    expect(await list(stranger)).to.have.lengthOf(0);
  });

  it('is not sent again when its endpoint was deleted', async () => {
    const subscriber = await subscribe();
    receiver().answer(subscriber.path, (response) =>
      response.writeHead(500, { 'retry-after': '1' }).end(),
    );
    await triggerWebhook(subscriber);
    const first = await poll('the first attempt', async () => {
      const [newest] = await list(subscriber);
      return newest?.attempts === 1 && newest;
    });
    await deleteWebhookEndpoint(service().store.sql, {
      workspaceId: subscriber.workspace.id,
      endpointId: subscriber.endpointId,
    });
    expect((await historyOf(first.id)).status).to.equal('COMPLETED');
    expect(receiver().received(subscriber.path)).to.have.lengthOf(1);
  });

  it('continues when its workflow is lost, and fails when an operator terminates it', async () => {
    const subscriber = await subscribe();
    receiver().answer(subscriber.path, (response, before) =>
      before === 0
        ? response.writeHead(500, { 'retry-after': '3600' }).end()
        : response.writeHead(204).end(),
    );
    await triggerWebhook(subscriber);
    const first = await poll('the first attempt', async () => {
      const [newest] = await list(subscriber);
      return newest?.attempts === 1 && newest;
    });
    const workflowId = workflowIds.deliverWebhook(first.id);
    await service().temporal.workflowService.deleteWorkflowExecution({
      namespace: service().temporal.options.namespace,
      workflowExecution: { workflowId },
    });
    await poll('the workflow to be deleted', () =>
      service()
        .temporal.workflow.getHandle(workflowId)
        .describe()
        .then(
          () => false,
          () => true,
        ),
    );
    const handle = service().temporal.workflow.getHandle(workflowId);
    // The new workflow finds that its next attempt is due in almost an hour. Temporal's list of workflows lags behind, so
    // reconciliation may need several rounds.
    await poll('the workflow to wait', async () => {
      await service().reconcile();
      const { raw } = await handle.describe();
      const failure = raw.pendingActivities?.[0]?.lastFailure;
      return failure?.message === 'It is not due yet.';
    });
    expect(receiver().received(subscriber.path)).to.have.lengthOf(1);
    await handle.terminate();
    await poll('the workflow to close', () => service().waitForClose({ workflowId }));
    const ended = await poll('the delivery to have failed', async () => {
      await service().reconcile();
      const [newest] = await list(subscriber);
      return newest?.state === 'failed' && newest;
    });
    expect(ended.attempts).to.equal(1);
  });
});

const eventOf = (body: string): WebhookEvent => webhookEventSchema.parse(JSON.parse(body));

/** Verifies a webhook with the public package, as receivers do. */
function verify(secret: string, received: Received | undefined): WebhookEvent {
  const { body, headers } = received ?? { body: '', headers: {} };
  return webhookEventSchema.parse(
    new Webhook(secret).verify(body, headers as Record<string, string>),
  );
}
