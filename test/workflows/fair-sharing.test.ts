import { expect } from 'chai';
import { deployPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import { type Service, startService } from '../support/service.ts';

const queuedBefore = 1_000;
const atOnce = 25;
const slots = 2;
/**
 * Slot turns after which the other workspace's job has begun: what renders, what workers took before it came, and the start of a
 * workflow on a busy machine [measured: 0 to 4]. In the order of arrival it would be 480.
 */
const mostTurns = 10;

describe('fair sharing', function () {
  this.timeout(180_000);
  let service: Service;
  before(async () => {
    service = await startService({ env: { RENDERER_SLOTS: String(slots) } });
  });
  after(() => service[Symbol.asyncDispose]());

  it(`lets the one job of B begin within ${mostTurns} slot turns of ${queuedBefore} that A queued before`, async () => {
    const { sql } = service.database;
    const [a, b] = [await service.createWorkspace(), await service.createWorkspace()];
    const page = '<h1>One of many</h1>';
    const [versionOfA, versionOfB] = [
      await deployPage(a.client, page),
      await deployPage(b.client, page),
    ];
    const post = (client: typeof a.client, deployId: string) =>
      client.createRenderJob({ body: { deployId } });
    for (let posted = 0; posted < queuedBefore; posted += atOnce)
      await Promise.all(Array.from({ length: atOnce }, () => post(a.client, versionOfA.deployId)));
    const { job: last } = await post(a.client, versionOfA.deployId);
    // While a burst of starts goes on, Temporal itself is what B waits for: up to 4 turns here [measured].
    await poll('A to be at work, all its workflows started', async () => {
      const [row] = await sql<{ started: number; owed: number }[]>`
        select (select count(*)::int from render_jobs where started_at is not null) as started,
          (select count(*)::int from outbox) as owed`;
      return row && row.started > 0 && row.owed === 0;
    });
    const { progress } = await a.client.getRenderJob({ params: { jobId: last.id } });
    const { job } = await post(b.client, versionOfB.deployId);
    const startedAt = await poll('B to begin', async () => {
      const answer = await b.client.getRenderJob({ params: { jobId: job.id } });
      return answer.job.startedAt;
    });
    const [row] = await sql<{ begun: number; waiting: number }[]>`
      select count(*) filter (where started_at >= ${job.requestedAt} and started_at < ${startedAt})::int as begun,
        count(*) filter (where started_at is null)::int as waiting
      from render_jobs where workspace_id = ${a.id}`;
    const begun = row?.begun ?? Number.NaN;
    const turns = begun / slots;
    console.log(
      `        B began ${turns} slot turns after it was accepted (${begun} jobs of A, ${startedAt - job.requestedAt} ms); ${row?.waiting} of A waited`,
    );
    expect(row?.waiting, 'A still has a queue').to.be.greaterThan(queuedBefore / 2);
    expect(turns).to.be.at.most(mostTurns);
    expect(progress?.queuePosition?.ahead, 'what A was told').to.be.greaterThan(queuedBefore / 2);
    expect(progress?.queuePosition?.expectedStartAt).to.be.greaterThan(Date.now());
  });
});
