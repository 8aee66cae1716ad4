import { expect } from 'chai';
import type { JobErrorCode } from '../../contracts/errors.ts';
import type { CreateRenderJobBody } from '../../contracts/rest/schemas/render-jobs.ts';
import type { RenderJobStatus } from '../../contracts/states.ts';
import { triggerCleanUp } from '../support/clean-up.ts';
import { deployPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import type { Workspace } from '../support/service.ts';
import {
  call,
  expectSuccess,
  startOtherApi,
  uniqueSlug,
  untilStatus,
  useApi,
} from './api-fixture.ts';
import { testMatrix } from './state-matrix.ts';

const plainPage = '<!doctype html><p>Plain</p>';
const rejectingPage = `<!doctype html><script>
  window.renderReady = Promise.reject(new Error('no'));
</script>`;
/** Allocates memory until the browser is killed. */
const crashingPage = `<!doctype html><script>
  const all = [];
  for (;;) all.push(new Uint8Array(16e6).fill(1));
</script>`;
const neverReadyPage = `<!doctype html><script>
  window.renderReady = new Promise(() => {});
</script>`;
const waitingPage = `<!doctype html><script>
  window.renderReady = fetch('/held');
</script>`;

/** The slowest failing job never loads: it has two tries of 30 s (`maxLoadMs`). The rest is a reserve. */
const failureTimeoutMs = 90_000;

describe('a render job', function () {
  this.timeout(60_000);
  const released = Promise.withResolvers<void>();
  // Before `useApi`, whose end waits for the held job.
  after(() => released.resolve());
  const api = useApi();
  const failing = useFailingJobs(api);

  let workspace: Workspace;
  const withApiKey = <I extends object>(input: I) => ({ apiKey: workspace.apiKey, ...input });
  /** Id of a job that renders until the suite ends. It occupies the only place of its workspace. */
  let heldJobId: string;
  before(async () => {
    workspace = await api().service.createWorkspace('one_at_a_time');
    heldJobId = await holdJob();
  });
  const holdJob = async (): Promise<string> => {
    const { url, byPath } = api().pages;
    byPath.set('/waiting', (_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(waitingPage);
    });
    byPath.set('/held', async (_request, response) => {
      await released.promise;
      response.end();
    });
    const body = { slug: uniqueSlug(), name: 'Held', type: 'url', targetUrl: `${url}/waiting` };
    const { deploy } = await expectSuccess(api(), 'createDeploy', withApiKey({ body }));
    return create(workspace, { deployId: deploy.id }, 'rendering');
  };

  const create = async (
    { apiKey }: Workspace,
    body: Partial<CreateRenderJobBody>,
    status: RenderJobStatus,
  ): Promise<string> => {
    const { job } = await expectSuccess(api(), 'createRenderJob', { apiKey, body });
    await untilStatus(api(), job.id, status, apiKey);
    return job.id;
  };

  interface Job {
    readonly of: Workspace;
    readonly jobId: string;
  }
  /** Creates a job of the page in a workspace without limits and waits for the state. */
  const render = async (page: string, status: RenderJobStatus): Promise<Job> => {
    const of = api().workspace;
    const { deployId } = await deployPage(of.client, page);
    return { of, jobId: await create(of, { deployId }, status) };
  };
  /** Creates a job that stays queued behind the held one. */
  const enqueue = async (): Promise<Job> => {
    const { deployId } = await deployPage(workspace.client, plainPage);
    return { of: workspace, jobId: await create(workspace, { deployId }, 'queued') };
  };
  const ask =
    (
      operation:
        | 'getRenderJob'
        | 'cancelRenderJob'
        | 'deleteOutput'
        | 'rerenderJob'
        | 'createOutputDownload'
        | 'createOutputPreview',
    ) =>
    ({ of: { apiKey }, jobId }: Job) =>
      call(api(), operation, {
        apiKey,
        params: { jobId },
        ...(operation === 'rerenderJob' && { body: { payload: null } }),
      });

  const open = {
    getRenderJob: '200',
    createOutputDownload: '409 output_not_available',
    createOutputPreview: '409 output_not_available',
    deleteOutput: '409 render_job_active',
    rerenderJob: '409 render_job_active',
  } as const;
  const endedWithoutOutput = {
    getRenderJob: '200',
    cancelRenderJob: '409 render_job_not_cancelable',
    createOutputDownload: '404 output_not_found',
    createOutputPreview: '404 output_not_found',
    deleteOutput: '404 output_not_found',
    rerenderJob: '202',
  } as const;

  testMatrix({
    title: 'by its state and that of its output',
    operations: {
      getRenderJob: ask('getRenderJob'),
      cancelRenderJob: ask('cancelRenderJob'),
      createOutputDownload: ask('createOutputDownload'),
      createOutputPreview: ask('createOutputPreview'),
      deleteOutput: ask('deleteOutput'),
      rerenderJob: ask('rerenderJob'),
    },
    changing: ['cancelRenderJob', 'deleteOutput'],
    states: {
      queued: { reach: enqueue, expected: { ...open, cancelRenderJob: '200' } },
      rendering: {
        reach: async () => ({ of: workspace, jobId: heldJobId }),
        expected: { ...open, cancelRenderJob: '409 render_job_not_cancelable' },
      },
      // The retry is an hour later.
      retry_scheduled: {
        reach: () => render(crashingPage, 'retry_scheduled'),
        expected: { ...open, cancelRenderJob: '200' },
      },
      succeeded: {
        reach: () => render(plainPage, 'succeeded'),
        expected: {
          ...endedWithoutOutput,
          createOutputDownload: '200',
          createOutputPreview: '200',
          deleteOutput: '204',
        },
      },
      'succeeded, output deleted': {
        async reach() {
          const job = await render(plainPage, 'succeeded');
          await expectSuccess(api(), 'deleteOutput', { params: { jobId: job.jobId } });
          return job;
        },
        expected: endedWithoutOutput,
      },
      'succeeded, output expired': {
        async reach() {
          const job = await render(plainPage, 'succeeded');
          const { sql } = api().service.database;
          // Simulates that a day has passed.
          await sql`update render_outputs set delete_after = ${Date.now()} where job_id = ${job.jobId}`;
          await triggerCleanUp(api().service);
          await poll('the output to be deleted', async () => {
            const params = { jobId: job.jobId };
            const { output } = await expectSuccess(api(), 'getRenderJob', { params });
            return output?.deleteReason === 'retention';
          });
          return job;
        },
        expected: endedWithoutOutput,
      },
      failed: { reach: () => render(rejectingPage, 'failed'), expected: endedWithoutOutput },
      canceled: {
        async reach() {
          const job = await enqueue();
          const params = { jobId: job.jobId };
          await expectSuccess(api(), 'cancelRenderJob', withApiKey({ params }));
          return job;
        },
        expected: endedWithoutOutput,
      },
    },
  });

  describe('fails', () => {
    const codes: [JobErrorCode, string, number][] = [
      ['render_failed', 'whose document reports an error', 0],
      ['render_timeout_exceeded', 'that takes longer than its version allows', 0],
      ['render_output_too_large', 'whose PDF is larger than the plan allows', 0],
      ['render_crashed', 'that crashes its browser, the third time', 2],
      ['navigation_timeout', 'that does not load, the second time', 1],
    ];
    for (const [code, what, attempt] of codes)
      it(`${what}: ${code}`, async function () {
        this.timeout(failureTimeoutMs);
        const { apiKey, jobId } = failing(code);
        const { job } = await poll(
          `${jobId} to fail`,
          async () => {
            const answer = await expectSuccess(api(), 'getRenderJob', {
              apiKey,
              params: { jobId },
            });
            return answer.job.finishedAt !== undefined && answer;
          },
          failureTimeoutMs,
        );
        expect(job).to.include({ status: 'failed', errorCode: code, attempt });
        expect(job.errorMessage).to.match(/\S \S/);
      });
  });
});

interface FailingJob {
  readonly apiKey: string;
  readonly jobId: string;
}

/** Starts a job for each error code that the tests of `fails` expect. The jobs fail while the other tests of the suite run. */
function useFailingJobs(api: ReturnType<typeof useApi>): (code: JobErrorCode) => FailingJob {
  const jobs = new Map<JobErrorCode, FailingJob>();
  let closeNever: () => void = () => {};
  before(async () => {
    // Jobs that the other API accepts are retried at once: a job keeps the delays of the process that accepted it.
    const otherApi = await startOtherApi(api(), { RENDER_RETRY_DELAYS: '1ms' });
    const { pages, service } = api();
    pages.byPath.set('/never', (_request, response) => {
      closeNever = () => response.destroy();
    });
    const begin = async (
      code: JobErrorCode,
      page: string,
      { plan = 'self_hosted', ...render }: { plan?: string; renderTimeoutMs?: number } = {},
    ) => {
      const { client, apiKey } = await service.createWorkspace(plan);
      const { deployId } = await deployPage(client, page, render);
      const { job } = await expectSuccess(otherApi, 'createRenderJob', {
        apiKey,
        body: { deployId },
      });
      jobs.set(code, { apiKey, jobId: job.id });
    };
    const neverLoadingPage = `<!doctype html><script src="${pages.url}/never"></script>`;
    await begin('navigation_timeout', neverLoadingPage);
    await begin('render_crashed', crashingPage);
    await begin('render_failed', rejectingPage);
    await begin('render_timeout_exceeded', neverReadyPage, { renderTimeoutMs: 1_000 });
    await begin('render_output_too_large', plainPage, { plan: 'small_pdfs' });
    await otherApi[Symbol.asyncDispose]();
  });
  after(() => closeNever());
  return (code) => {
    const job = jobs.get(code);
    if (!job) throw new Error(`No job fails with ${code}.`);
    return job;
  };
}
