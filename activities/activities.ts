import { createBuildRenderPack } from './build-render-pack.ts';
import { createCleanUp } from './clean-up.ts';
import { createDeliverWebhook } from './deliver-webhook.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { createEndCommit } from './end-commit.ts';
import { withCodedFailures } from './failures.ts';
import { createRenderDocument } from './render-document.ts';
import { createSettleRenderJob } from './settle-render-job.ts';

/** Activities of the queue `render`. */
export const createRenderActivities = (dependencies: ActivityDependencies) => ({
  renderDocument: createRenderDocument(dependencies),
});

/** Activities of the queue `control`. */
export const createControlActivities = (
  dependencies: Omit<ActivityDependencies, 'renderer' | 'documents'>,
) =>
  withCodedFailures(dependencies.log, {
    ...createSettleRenderJob(dependencies),
    ...createEndCommit(dependencies),
    buildRenderPack: createBuildRenderPack(dependencies),
    removeExpired: createCleanUp(dependencies),
  });

/** Activities of the queue `webhooks`. */
export const createWebhookActivities = (
  dependencies: Pick<ActivityDependencies, 'store' | 'webhooks' | 'log'>,
) => withCodedFailures(dependencies.log, { sendWebhook: createDeliverWebhook(dependencies) });

export type RenderActivities = ReturnType<typeof createRenderActivities>;
export type ControlActivities = ReturnType<typeof createControlActivities>;
export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
