import { expect } from 'chai';
import { deployPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import { startService } from '../support/service.ts';
import { startForSuite } from '../support/suite-resources.ts';

const jobsOfA = 1_000;
const parallelPosts = 25;
const slots = 2;
/**
 * The job of the other workspace starts within this many turns of all slots. Before it come jobs that render already and jobs that
 * workers have polled before, and on a busy machine those that start while its workflow starts [measured: 0 to 4 turns]. In the
 * order of arrival it would be 480 turns.
 */
const maxTurns = 10;

describe('fair sharing', function () {
  this.timeout(180_000);
  const service = startForSuite(() => startService({ env: { RENDERER_SLOTS: String(slots) } }));

  it(`starts the only job of B within ${maxTurns} slot turns, although A queued ${jobsOfA} jobs before`, async () => {
    const { sql } = service().database;
    const [a, b] = [await service().createWorkspace(), await service().createWorkspace()];
    const page = '<h1>One of many</h1>';
    const [versionOfA, versionOfB] = [
      await deployPage(a.client, page),
      await deployPage(b.client, page),
    ];
    const post = (client: typeof a.client, deployId: string) =>
      client.createRenderJob({ body: { deployId } });
    for (let posted = 0; posted < jobsOfA; posted += parallelPosts)
      await Promise.all(
        Array.from({ length: parallelPosts }, () => post(a.client, versionOfA.deployId)),
      );
    const { job: last } = await post(a.client, versionOfA.deployId);
    // While many workflows start, B would also wait for Temporal: up to 4 turns here [measured].
    await poll('A to render, with all its workflows started', async () => {
      const [row] = await sql<{ started: number; pendingCalls: number }[]>`
        select (select count(*)::int from render_jobs where started_at is not null) as started,
          (select count(*)::int from outbox) as pending_calls`;
      return row && row.started > 0 && row.pendingCalls === 0;
    });
    const { progress } = await a.client.getRenderJob({ params: { jobId: last.id } });
    const { job } = await post(b.client, versionOfB.deployId);
    const startedAt = await poll('B to start', async () => {
      const answer = await b.client.getRenderJob({ params: { jobId: job.id } });
      return answer.job.startedAt;
    });
    const [row] = await sql<{ started: number; waiting: number }[]>`
      select count(*) filter (where started_at >= ${job.requestedAt} and started_at < ${startedAt})::int as started,
        count(*) filter (where started_at is null)::int as waiting
      from render_jobs where workspace_id = ${a.id}`;
    const started = row?.started ?? Number.NaN;
    const turns = started / slots;
    console.log(
      `        B started ${turns} slot turns after it was accepted (${started} jobs of A, ${startedAt - job.requestedAt} ms); ${row?.waiting} of A waited`,
    );
    expect(row?.waiting, 'A still has a queue').to.be.greaterThan(jobsOfA / 2);
    expect(turns).to.be.at.most(maxTurns);
    expect(progress?.queuePosition?.ahead, 'the queue position of A').to.be.greaterThan(
      jobsOfA / 2,
    );
    expect(progress?.queuePosition?.expectedStartAt).to.be.greaterThan(Date.now());
  });
});
