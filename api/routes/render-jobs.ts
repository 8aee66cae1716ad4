import type { Router } from 'express';
import { ServiceError } from '../../contracts/errors.ts';
import { defaultLinkLifetimeSeconds } from '../../contracts/limits.ts';
import { routes } from '../../contracts/routes.ts';
import type { RenderJobAnswer } from '../../contracts/schemas/render-jobs.ts';
import { isTerminal } from '../../contracts/states.ts';
import { taskQueues } from '../../contracts/workflows.ts';
import { getDeploy } from '../../store/deploys.ts';
import { createOnce } from '../../store/idempotency.ts';
import {
  getAvailableOutput,
  getRenderJobAnswer,
  listRenderJobs,
} from '../../store/render-job-answers.ts';
import { cancelRenderJob } from '../../store/render-job-transitions.ts';
import { acceptRenderJob, toPayload } from '../../store/render-jobs.ts';
import type { ApiContext } from '../context.ts';
import { mount } from '../endpoint.ts';

/** Render jobs (REST 4.3). */
export function mountRenderJobs(router: Router, context: ApiContext): void {
  const { config, store, relay, progress } = context;
  const { sql, blobs, cursors } = store;

  mount(
    router,
    context,
    routes.createRenderJob,
    async ({ caller, body, idempotencyKey, requestId, now }) => {
      const { workspaceId, policy } = caller;
      const payload = toPayload(body);
      const call = { workspaceId, route: 'createRenderJob', key: idempotencyKey, body, now };
      const { result, replayed } = await createOnce(sql, call, async (tx) => ({
        accepted: true as const,
        queue: taskQueues.render,
        job: await acceptRenderJob(tx, {
          workspaceId,
          policy,
          body,
          payload,
          plans: config.plans,
          retryDelaysMs: config.renderRetryDelaysMs,
          requestId,
          now,
        }),
      }));
      relay.wake();
      return { body: result, ...(replayed && { headers: { 'Idempotent-Replayed': 'true' } }) };
    },
  );

  mount(router, context, routes.listRenderJobs, async ({ caller, query }) => {
    await getDeploy(sql, caller.workspaceId, query.deployId);
    return { body: await listRenderJobs(sql, cursors, query) };
  });

  mount(router, context, routes.getRenderJob, async ({ caller, params: { jobId } }) => {
    const answer = await getRenderJobAnswer(sql, caller.workspaceId, jobId);
    return { body: isTerminal(answer.job.status) ? answer : await withProgress(answer) };
  });

  /** Status and times are the row's; what a waiting job waits for, only its workflow knows. */
  const withProgress = async (answer: RenderJobAnswer): Promise<RenderJobAnswer> => {
    const { id, status, startedAt } = answer.job;
    if (status === 'rendering')
      return { ...answer, ...(startedAt && { progress: { since: startedAt } }) };
    const known = await progress.read(id);
    // The workflow may be a step behind the row: what contradicts the status is left out.
    const agrees = (known?.waitingFor === 'retry') === (status === 'retry_scheduled');
    return known && agrees ? { ...answer, progress: known } : answer;
  };

  mount(
    router,
    context,
    routes.cancelRenderJob,
    async ({ caller: { workspaceId }, params: { jobId }, now }) => {
      await getRenderJobAnswer(sql, workspaceId, jobId);
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
    mount(router, context, route, async ({ caller, params: { jobId }, query, body, now }) => {
      const { blobKey, fileName } = await getAvailableOutput(sql, caller.workspaceId, jobId);
      // Asked, so that a client learns here, and not in its user's browser, that the storage is down.
      if (!(await blobs.exists(blobKey))) throw new ServiceError('output_not_found');
      const lifetimeSeconds =
        body.expiresInSeconds ?? query.expiresInSeconds ?? defaultLinkLifetimeSeconds;
      const expiresAt = now + lifetimeSeconds * 1_000;
      const options = { fileName, contentType: 'application/pdf', disposition, expiresAt, now };
      return { body: { access: { url: await blobs.createLink(blobKey, options), expiresAt } } };
    });
}
