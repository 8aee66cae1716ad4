import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { findFreePort } from '../../dev/servers/ports.ts';
import { createWebhookSecrets } from '../../store/secrets/webhook-secrets.ts';
import { createWebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts';
import { sendTestWebhook } from '../../store/webhooks/webhook-events.ts';
import { deployPage, payloadPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import { type Service, startService, type Workspace } from '../support/service.ts';

const receiverFile = fileURLToPath(
  new URL('../../examples/webhook-receiver/receiver.js', import.meta.url),
);

/** Tests the whole way: API, worker and browser as in production, and the receiver that people copy. */
describe('the example of a webhook receiver', function () {
  this.timeout(120_000);
  let service: Service;
  let workspace: Workspace;
  let endpoint: { id: string; secret: string; url: string };
  let receiver: ChildProcess;
  const lines: string[] = [];

  before(async () => {
    const port = await findFreePort();
    service = await startService({
      env: { EGRESS_ALLOW: `127.0.0.1:${port}`, WEBHOOK_RETRY_SCHEDULE: '0s,500ms,500ms' },
    });
    workspace = await service.createWorkspace();
    const secrets = createWebhookSecrets([String(service.env.SECRET_KEY)]);
    const created = await createWebhookEndpoint(service.database.sql, secrets, {
      workspaceId: workspace.id,
      url: `http://127.0.0.1:${port}/`,
      egressAllow: [`127.0.0.1:${port}`],
      now: Date.now(),
    });
    const { secret, endpoint: row } = created;
    endpoint = { id: row.id, secret, url: row.url };
    const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) };
    receiver = spawn(process.execPath, [receiverFile], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [receiver.stdout, receiver.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => lines.push(line));
    await waitForLine(/^listens on /);
  });
  after(async () => {
    if (receiver?.exitCode === null) {
      receiver.kill();
      await once(receiver, 'exit');
    }
    await service?.[Symbol.asyncDispose]();
  });

  const waitForLine = (pattern: RegExp): Promise<string> =>
    poll(`a line ${pattern}`, () => lines.find((line) => pattern.test(line)), 60_000);

  it('downloads the PDF of a job by the link in its webhook', async () => {
    const { client } = workspace;
    const { deployId } = await deployPage(client, payloadPage);
    const { job } = await client.createRenderJob({ body: { deployId, payload: { total: 12 } } });
    const line = await waitForLine(new RegExp(`${job.id} succeeded`));
    expect(Number(/(\d+) bytes$/.exec(line)?.[1])).to.be.greaterThan(1_000);
  });

  it('handles a test, and each event once', async () => {
    const { sql } = service.database;
    const key = { workspaceId: workspace.id, endpointId: endpoint.id };
    const { eventId } = await sendTestWebhook(sql, { ...key, now: Date.now() });
    await waitForLine(new RegExp(`^${eventId} a test$`));
    expect(await post({ id: eventId, secret: endpoint.secret })).to.equal(204);
    await waitForLine(new RegExp(`^again ${eventId}$`));
  });

  it('refuses a request that is not signed with its secret', async () => {
    const { secret } = createWebhookSecrets(['another']).create();
    expect(await post({ id: 'evt_forged', secret })).to.equal(400);
    await waitForLine(/^400 No matching signature found$/);
  });

  const post = async ({ id, secret }: { id: string; secret: string }): Promise<number> => {
    const body = JSON.stringify({ type: 'render_job.terminated', test: true, data: {} });
    const now = new Date();
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    };
    return (await fetch(endpoint.url, { method: 'POST', headers, body })).status;
  };
});
