import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../client/client.ts';
import { deployFolder } from '../../client/deploy-folder.ts';
import { downloadOutput, renderDocument } from '../../client/render-document.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/invoice');
const POLL_MS = 50;

export interface DemonstrationOptions {
  baseUrl: string;
  apiKey: string;
  /** Where the PDF goes. */
  file: string;
}

/**
 * Deploys examples/invoice and renders it, all through the public API, as any client would.
 * Returns a signed link that shows the PDF, which `file` also holds.
 */
export async function demonstrate({
  baseUrl,
  apiKey,
  file,
}: DemonstrationOptions): Promise<string> {
  const client = createClient({ baseUrl, apiKey });
  const readJson = async (name: string) => JSON.parse(await readFile(join(EXAMPLE, name), 'utf8'));
  const { slug, name, ...render } = await readJson('render.json');
  const { items } = await client.listDeploys({});
  const known = items.find((deploy) => deploy.slug === slug);
  const { deployId } = await deployFolder(client, {
    folder: join(EXAMPLE, 'document'),
    deploy: known ? { deployId: known.id } : { createDeploy: { slug, name } },
    render,
  });
  const payload = await readJson('payload.json');
  const { job } = await renderDocument(client, { deployId, payload }, { pollMs: POLL_MS });
  if (job.status !== 'succeeded') throw new Error(`${job.errorCode}: ${job.errorMessage}`);
  await writeFile(file, await downloadOutput(client, job.id));
  const { access } = await client.createOutputPreview({ params: { jobId: job.id } });
  return access.url;
}
