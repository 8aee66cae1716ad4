import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, type Client, createClient } from '../../client/client.ts';
import { deployFolder, type FolderDeploy, hashFolder } from '../../client/deploy-folder.ts';
import { downloadOutput, renderDocument } from '../../client/render-document.ts';

const pollMs = 50;

export interface ExampleOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A folder of examples/. */
  readonly example: string;
  /** The file for the PDF. */
  readonly pdfFile: string;
  /** The file that describes the version that was deployed last. */
  readonly versionFile: string;
}

/** A version, and the hash of what it was made from. */
interface DeployedVersion {
  readonly deployId: string;
  readonly versionId: string;
  readonly contentHash: string;
}

/**
 * Deploys an example and renders it through the public API, as any client would.
 *
 * @returns a signed link that shows the PDF; `pdfFile` holds the same PDF
 */
export async function deployAndRenderExample(options: ExampleOptions): Promise<string> {
  const { baseUrl, apiKey, example, pdfFile, versionFile } = options;
  const client = createClient({ baseUrl, apiKey });
  const { slug, name, ...render } = await readJson(join(example, 'render.json'));
  const folder = join(example, 'document');
  const deployId = await deployIfChanged(
    client,
    { folder, deploy: { slug, name }, render },
    versionFile,
  );
  const payload = await readJson(join(example, 'payload.json'));
  const { job } = await renderDocument(client, { deployId, payload }, { pollMs });
  if (job.status !== 'succeeded') throw new Error(`${job.errorCode}: ${job.errorMessage}`);
  await writeFile(pdfFile, await downloadOutput(client, job.id));
  const { access } = await client.createOutputPreview({ params: { jobId: job.id } });
  return access.url;
}

/** Commits a version, unless the latest one was made from the same files and settings. Returns the id of the deploy. */
async function deployIfChanged(
  client: Client,
  plan: FolderDeploy,
  versionFile: string,
): Promise<string> {
  const settings = JSON.stringify([await hashFolder(plan.folder), plan.deploy, plan.render]);
  const contentHash = createHash('sha256').update(settings).digest('hex');
  const last = await readJson(versionFile).catch(() => undefined);
  if (last?.contentHash === contentHash && (await isLatest(client, last))) return last.deployId;
  const { deployId, id: versionId } = await deployFolder(client, plan);
  const deployed: DeployedVersion = { deployId, versionId, contentHash };
  await writeFile(versionFile, JSON.stringify(deployed));
  return deployId;
}

/** False also if the deploy was deleted or belongs to another workspace. */
async function isLatest(
  client: Client,
  { deployId, versionId }: DeployedVersion,
): Promise<boolean> {
  try {
    const { items } = await client.listDeployVersions({
      params: { deployId },
      query: { limit: 1 },
    });
    return items[0]?.id === versionId;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
