import type { Router } from 'express';
import { taskQueues } from '../../contracts/processes/workflows.ts';
import { routes } from '../../contracts/rest/routes.ts';
import type { RenderJob } from '../../contracts/rest/schemas/render-jobs.ts';
import type { Transaction } from '../../store/database/connection.ts';
import { createOnce } from '../../store/database/idempotency.ts';
import { getDeploy } from '../../store/deploys/deploys.ts';
import {
  type AcceptRenderJob,
  acceptRenderJob,
  acceptRerender,
} from '../../store/jobs/accept-render-job.ts';
import { cancelRenderJob } from '../../store/jobs/end-render-job.ts';
import { deleteOutput, getAvailableOutput } from '../../store/jobs/outputs.ts';
import { hashPayload, type Payload, toPayload } from '../../store/jobs/payloads.ts';
import { getRenderJobAnswer, listRenderJobs } from '../../store/jobs/render-job-answers.ts';
import { getRenderJob } from '../../store/jobs/render-jobs.ts';
import type { Caller } from '../../store/workspaces/api-keys.ts';
import { createAccessLink } from '../access-link.ts';
import type { ApiContext } from '../context.ts';
import { deleteBlobsNow } from '../delete-blobs-now.ts';
import { mount } from '../endpoint.ts';
import { withProgress } from '../job-progress.ts';

interface AcceptCall {
  readonly route: string;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly now: number;
}

/** Render jobs (REST 4.3). */
export function mountRenderJobs(router: Router, context: ApiContext): void {
  const { config, store, relay } = context;
  const { sql, blobs, cursors } = store;

  /** Accepts a job once for each Idempotency-Key, and hands it on. */
  const accept = async (
    { workspaceId, policy }: Caller,
    { route, body, idempotencyKey, requestId, now }: AcceptCall,
    create: (
      tx: Transaction,
      input: Omit<AcceptRenderJob, 'body' | 'payload'>,
    ) => Promise<RenderJob>,
  ) => {
    const { plans, renderRetryDelaysMs: retryDelaysMs } = config;
    const call = { workspaceId, route, key: idempotencyKey, body, now };
    const { result, replayed } = await createOnce(sql, call, async (tx) => ({
      accepted: true as const,
      queue: taskQueues.render,
      job: await create(tx, { workspaceId, policy, plans, retryDelaysMs, requestId, now }),
    }));
    relay.wake();
    return { body: result, replayed };
  };

  mount(router, context, routes.createRenderJob, async ({ caller, body, ...request }) => {
    const payload = toPayload(body);
    const call = { ...request, route: 'createRenderJob', body: hashed(body, payload) };
    return accept(caller, call, (tx, input) => acceptRenderJob(tx, { ...input, body, payload }));
  });

  mount(router, context, routes.listRenderJobs, async ({ caller, query }) => {
    await getDeploy(sql, caller.workspaceId, query.deployId);
    return { body: await listRenderJobs(sql, cursors, query) };
  });

  mount(router, context, routes.getRenderJob, async ({ caller, params: { jobId } }) => {
    const answer = await getRenderJobAnswer(sql, caller.workspaceId, jobId);
    return { body: await withProgress(context, caller.workspaceId, answer) };
  });

  mount(
    router,
    context,
    routes.cancelRenderJob,
    async ({ caller: { workspaceId }, params: { jobId }, now }) => {
      await getRenderJob(sql, workspaceId, jobId);
      await cancelRenderJob(sql, config.plans, { jobId, workspaceId, now });
      relay.wake();
      return { body: await getRenderJobAnswer(sql, workspaceId, jobId) };
    },
  );

  const links = [
    [routes.createOutputDownload, 'attachment'],
    [routes.createOutputPreview, 'inline'],
  ] as const;
  for (const [route, disposition] of links)
    mount(router, context, route, async ({ caller, params: { jobId }, ...request }) => {
      const output = await getAvailableOutput(sql, caller.workspaceId, jobId);
      const link = { ...request, disposition };
      return { body: await createAccessLink(blobs, output, link, 'output_not_found') };
    });

  mount(router, context, routes.deleteOutput, async ({ caller, params: { jobId }, now }) => {
    const { workspaceId } = caller;
    await deleteBlobsNow(context, await deleteOutput(sql, { workspaceId, jobId, now }), now);
    return { body: undefined };
  });

  mount(router, context, routes.rerenderJob, async ({ caller, params, body, ...request }) => {
    const { jobId } = params;
    const payload = toPayload(body);
    // The job is part of what the key stands for.
    const call = { ...request, route: 'rerenderJob', body: { jobId, ...hashed(body, payload) } };
    return accept(caller, call, (tx, input) =>
      acceptRerender(tx, { ...input, jobId, body, payload }),
    );
  });
}

/** What an Idempotency-Key stands for: large payloads are compared by the hash that they have anyway. */
const hashed = <T extends object>(body: T, payload: Payload) => ({
  ...body,
  payload: hashPayload(payload),
  payloadBase64: undefined,
});
