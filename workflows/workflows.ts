/** All workflows. Each export has the name that `workflowTypes` in `contracts/processes/workflows.ts` has for it. */
export { cleanUp } from './clean-up.ts';
export { commitUpload } from './commit-upload.ts';
export { deliverWebhook } from './deliver-webhook.ts';
export { renderJob } from './render-job.ts';
