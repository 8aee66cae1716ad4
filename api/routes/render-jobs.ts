import { taskQueues } from '../../contracts/processes/workflows.ts';
import type { renderJobRoutes } from '../../contracts/rest/routes/render-jobs.ts';
import type { RenderJob } from '../../contracts/rest/schemas/render-jobs.ts';
import type { Transaction } from '../../store/database/connection.ts';
import { createOnce } from '../../store/database/idempotency.ts';
import { getDeploy } from '../../store/deploys/deploys.ts';
import {
  type AcceptRenderJobInput,
  acceptRenderJob,
  acceptRerender,
} from '../../store/jobs/accept-render-job.ts';
import { cancelRenderJob } from '../../store/jobs/end-render-job.ts';
import { deleteOutput, getAvailableOutput } from '../../store/jobs/outputs.ts';
import { hashPayload, type Payload, toPayload } from '../../store/jobs/payloads.ts';
import { getRenderJobAnswer, listRenderJobs } from '../../store/jobs/render-job-answers.ts';
import { getRenderJob } from '../../store/jobs/render-jobs.ts';
import { createAccessLink } from '../access-link.ts';
import type { ApiContext } from '../context.ts';
import { deleteBlobsNow } from '../delete-blobs-now.ts';
import type { EndpointRequest, Handler, Handlers } from '../endpoint.ts';
import { withProgress } from '../job-progress.ts';

type IdempotentRequest = Pick<
  EndpointRequest<typeof renderJobRoutes.createRenderJob>,
  'operationId' | 'caller' | 'idempotencyKey' | 'requestId' | 'now'
>;

/** Render jobs and their outputs (REST 4.3). */
export function createRenderJobHandlers(context: ApiContext): Handlers<typeof renderJobRoutes> {
  const { config, store, relay } = context;
  const { sql, blobs, cursors } = store;

  /**
   * Creates a job once for each Idempotency-Key and wakes the relay, which starts its workflow.
   *
   * @param keyed what a repeated call with the same key must have in common with the first
   */
  const createJobOnce = async (
    { operationId: route, caller, idempotencyKey: key, requestId, now }: IdempotentRequest,
    keyed: unknown,
    create: (
      tx: Transaction,
      input: Omit<AcceptRenderJobInput, 'body' | 'payload'>,
    ) => Promise<RenderJob>,
  ) => {
    const { workspaceId, policy } = caller;
    const { plans, renderRetryDelaysMs: retryDelaysMs } = config;
    const call = { workspaceId, route, key, body: keyed, now };
    const { result, replayed } = await createOnce(sql, call, async (tx) => ({
      accepted: true as const,
      queue: taskQueues.render,
      job: await create(tx, { workspaceId, policy, plans, retryDelaysMs, requestId, now }),
    }));
    relay.wake();
    return { body: result, replayed };
  };

  const createLink =
    (disposition: 'attachment' | 'inline'): Handler<typeof renderJobRoutes.createOutputDownload> =>
    async ({ caller, params: { jobId }, ...request }) => {
      const output = await getAvailableOutput(sql, caller.workspaceId, jobId);
      const link = { ...request, disposition };
      return createAccessLink(blobs, output, link, 'output_not_found');
    };

  return {
    createRenderJob({ body, ...request }) {
      const payload = toPayload(body);
      return createJobOnce(request, withPayloadHash(body, payload), (tx, input) =>
        acceptRenderJob(tx, { ...input, body, payload }),
      );
    },

    async listRenderJobs({ caller, query }) {
      await getDeploy(sql, caller.workspaceId, query.deployId);
      return listRenderJobs(sql, cursors, query);
    },

    async getRenderJob({ caller: { workspaceId }, params: { jobId } }) {
      const answer = await getRenderJobAnswer(sql, workspaceId, jobId);
      return withProgress(context, workspaceId, answer);
    },

    async cancelRenderJob({ caller: { workspaceId }, params: { jobId }, now }) {
      await getRenderJob(sql, workspaceId, jobId);
      await cancelRenderJob(sql, config.plans, { jobId, workspaceId, now });
      relay.wake();
      return getRenderJobAnswer(sql, workspaceId, jobId);
    },

    createOutputDownload: createLink('attachment'),
    createOutputPreview: createLink('inline'),

    async deleteOutput({ caller: { workspaceId }, params: { jobId }, now }) {
      await deleteBlobsNow(context, await deleteOutput(sql, { workspaceId, jobId, now }), now);
    },

    rerenderJob({ params: { jobId }, body, ...request }) {
      const payload = toPayload(body);
      const keyed = { jobId, ...withPayloadHash(body, payload) };
      return createJobOnce(request, keyed, (tx, input) =>
        acceptRerender(tx, { ...input, jobId, body, payload }),
      );
    },
  };
}

/** Replaces the payload of a body by its hash: a repeated call is compared with the first one without their large payloads. */
const withPayloadHash = <T extends object>(body: T, payload: Payload) => ({
  ...body,
  payload: hashPayload(payload),
  payloadBase64: undefined,
});
