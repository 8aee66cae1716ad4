import { z } from 'zod';
import {
  jobCounts,
  jobDaySchema,
  jobDetails,
  jobFilter,
  maxReruns,
  type RerunResult,
  rerunResultSchema,
} from '../../contracts/admin/jobs.ts';
import { listOf, pageInput, pageOf } from '../../contracts/pagination.ts';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import {
  createRenderJobBody,
  type RenderJob,
  renderJobSchema,
  rerenderBody,
} from '../../contracts/rest/schemas/render-jobs.ts';
import type { Transaction } from '../../store/database/connection.ts';
import {
  type AcceptRenderJobInput,
  acceptRenderJob,
  acceptRerender,
} from '../../store/jobs/accept-render-job.ts';
import { cancelRenderJob } from '../../store/jobs/end-render-job.ts';
import { countJobs, countJobsByDay } from '../../store/jobs/job-counts.ts';
import { searchJobs } from '../../store/jobs/job-search.ts';
import { toPayload } from '../../store/jobs/payloads.ts';
import { listJobAttempts } from '../../store/jobs/render-attempts.ts';
import { getRenderJobAnswer } from '../../store/jobs/render-job-answers.ts';
import { getRenderJob } from '../../store/jobs/render-jobs.ts';
import type { ApiContext } from '../context.ts';
import { toServiceError } from '../error-handler.ts';
import { withProgress } from '../job-progress.ts';
import { type ActingContext, audited } from './audited.ts';
import { memberProcedure, router } from './procedures.ts';

/** Largest number of days in the dashboard's chart: more bars do not fit beside each other. */
const maxChartDays = 92;

/** Render jobs of a workspace. */
export const jobsRouter = router({
  /** Lists jobs that match a filter, newest first. */
  search: memberProcedure
    .input(pageInput.extend(jobFilter.shape))
    .output(pageOf(renderJobSchema))
    .query(({ ctx, input: { workspaceId, ...query } }) => {
      const { sql, cursors } = ctx.service.store;
      return searchJobs(sql, cursors, workspaceId, query);
    }),

  /** Counts the jobs in each state that match a filter. */
  counts: memberProcedure
    .input(jobFilter)
    .output(jobCounts)
    .query(({ ctx, input: { workspaceId, ...filter } }) =>
      countJobs(ctx.service.store.sql, workspaceId, filter),
    ),

  /** Counts the jobs of each of the last days, including today. */
  daily: memberProcedure
    .input(z.object({ days: z.int().min(1).max(maxChartDays).default(30) }))
    .output(listOf(jobDaySchema))
    .query(async ({ ctx: { service, now }, input: { workspaceId, days } }) => ({
      items: await countJobsByDay(service.store.sql, workspaceId, { days, now }),
    })),

  /** Gets everything about a job, with its attempts and its workflow. */
  get: memberProcedure
    .input(z.object({ jobId: z.string() }))
    .output(jobDetails)
    .query(({ ctx, input: { workspaceId, jobId } }) =>
      getJobDetails(ctx.service, workspaceId, jobId),
    ),

  create: memberProcedure
    .meta({ takesPayload: true })
    .input(z.object({ job: createRenderJobBody }))
    .output(renderJobSchema)
    .mutation(async ({ ctx, input: { job: body } }) => {
      const payload = toPayload(body);
      return createJob(ctx, (tx, input) => acceptRenderJob(tx, { ...input, body, payload }));
    }),

  cancel: memberProcedure
    .input(z.object({ jobId: z.string() }))
    .output(jobDetails)
    .mutation(async ({ ctx, input: { workspaceId, jobId } }) => {
      const { service, now } = ctx;
      await audited(
        ctx,
        async (tx) => {
          await getRenderJob(tx, workspaceId, jobId);
          await cancelRenderJob(tx, service.config.plans, { jobId, workspaceId, now });
        },
        { target: jobId },
      );
      service.relay.wake();
      return getJobDetails(service, workspaceId, jobId);
    }),

  /**
   * Renders ended jobs again. Payloads are deleted when a job ends, so the input has each payload again. It must be the same as
   * that of the ended job. A job that cannot be rendered again has an error in the answer, and the other jobs are still rendered.
   */
  rerun: memberProcedure
    .meta({ takesPayload: true })
    .input(
      z.object({
        jobs: z
          .array(z.object({ jobId: z.string(), rerender: rerenderBody }))
          .min(1)
          .max(maxReruns),
      }),
    )
    .output(listOf(rerunResultSchema))
    .mutation(async ({ ctx, input: { jobs } }) => {
      const items: RerunResult[] = [];
      // One after another: each call takes the lock of the workspace.
      for (const { jobId, rerender: body } of jobs) {
        try {
          const payload = toPayload(body);
          const job = await createJob(
            ctx,
            (tx, input) => acceptRerender(tx, { ...input, jobId, body, payload }),
            { rerunOf: jobId },
          );
          items.push({ jobId, job });
        } catch (error) {
          items.push({ jobId, error: toErrorBody(ctx, error) });
        }
      }
      return { items };
    }),
});

/** Converts the error of one of several jobs. The call goes on with the other jobs, so failures of the service are logged here. */
function toErrorBody(
  { service: { log }, requestId }: Pick<ActingContext, 'service' | 'requestId'>,
  thrown: unknown,
): { error: string; message: string } {
  const { code, message, status } = toServiceError(thrown);
  if (status >= 500) log.error({ err: thrown, requestId, code }, 'job was not rendered again');
  return { error: code, message };
}

async function getJobDetails(service: ApiContext, workspaceId: string, jobId: string) {
  const { sql } = service.store;
  const answer = await getRenderJobAnswer(sql, workspaceId, jobId);
  const [answerWithProgress, attempts] = await Promise.all([
    withProgress(service, workspaceId, answer),
    listJobAttempts(sql, jobId),
  ]);
  const id = workflowIds.renderJob(jobId);
  const url = service.temporalUiUrl(id);
  return { ...answerWithProgress, attempts, workflow: { id, ...(url !== undefined && { url }) } };
}

/** Creates a job like the REST API does, with an entry in the audit log, and wakes the relay, which starts its workflow. */
async function createJob(
  ctx: ActingContext &
    Pick<AcceptRenderJobInput, 'policy'> & { readonly workspace: { id: string } },
  create: (
    tx: Transaction,
    input: Omit<AcceptRenderJobInput, 'body' | 'payload'>,
  ) => Promise<RenderJob>,
  details: Readonly<Record<string, string>> = {},
): Promise<RenderJob> {
  const { service, workspace, policy, requestId, now } = ctx;
  const { plans, renderRetryDelaysMs: retryDelaysMs } = service.config;
  const input = { workspaceId: workspace.id, policy, plans, retryDelaysMs, requestId, now };
  const job = await audited(
    ctx,
    (tx) => create(tx, input),
    ({ id, deployId }) => ({ target: id, details: { deployId, ...details } }),
  );
  service.relay.wake();
  return job;
}
