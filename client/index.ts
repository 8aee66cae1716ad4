/** The public API of the package `document-rendering-client`. */

export type { RenderJobAnswer } from '../contracts/rest/schemas/render-jobs.ts';
export type { DeployVersion } from '../contracts/rest/schemas/versions.ts';
export {
  ApiError,
  type CallAnswer,
  type CallInput,
  type Client,
  type ClientOptions,
  createClient,
} from './client.ts';
export { deployFolder, type FolderDeploy, hashFolder } from './deploy-folder.ts';
export { downloadOutput, renderDocument, waitForRenderJob } from './render-document.ts';
