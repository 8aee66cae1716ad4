/** Every workflow, under the name by which `contracts/processes/workflows.ts` starts it. */
export { cleanUp } from './clean-up.ts';
export { commitUpload } from './commit-upload.ts';
export { deliverWebhook } from './deliver-webhook.ts';
export { renderJob } from './render-job.ts';
