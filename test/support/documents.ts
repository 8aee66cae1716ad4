import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Client } from '../../client/client.ts';
import type { commitBody } from '../../contracts/rest/schemas/commits.ts';
import type { DeployVersion } from '../../contracts/rest/schemas/versions.ts';

type Render = z.input<typeof commitBody>['render'];

export const sha256Of = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** A page that prints its payload. */
export const payloadPage = `<!doctype html><meta charset="utf-8"><title>Payload</title><h1></h1><script>
  window.renderReady = fetch('/__payload').then((answer) => answer.text()).then((text) => {
    document.querySelector('h1').textContent = text;
  });
</script>`;

let deploys = 0;

type Target = { deployId: string } | { createDeploy: { slug: string; name: string } };

/** Creates a deploy whose `index.html` is this page, and returns its version. */
export function deployPage(
  client: Client,
  page: string | Record<string, string>,
  render: Partial<Render> = {},
): Promise<DeployVersion> {
  const name = `page-${++deploys}`;
  const files = typeof page === 'string' ? { 'index.html': page } : page;
  return deployFiles(client, { createDeploy: { slug: name, name } }, files, render);
}

/** Deploys text files and returns the version. Its route is `index.html`. */
export async function deployFiles(
  client: Client,
  target: Target,
  texts: Record<string, string>,
  render: Partial<Render> = {},
): Promise<DeployVersion> {
  const files = Object.entries(texts).map(([path, text]) => {
    const bytes = new TextEncoder().encode(text);
    return { path, bytes, size: bytes.length, sha256: sha256Of(bytes) };
  });
  const { uploadSession } = await client.createUploadSession({
    body: { ...target, files: files.map(({ path, sha256, size }) => ({ path, sha256, size })) },
  });
  const uploadToken = uploadSession.uploadToken;
  const params = { uploadSessionId: uploadSession.id };
  for (const { bytes, sha256 } of files)
    await client.uploadBlob({ params: { ...params, sha256 }, uploadToken, body: bytes });
  const entries = files.map(({ path, sha256, size }) => ({ path, blobHash: sha256, size }));
  const { deployVersion } = await client.commitUploadSession({
    params,
    uploadToken,
    body: { entries, render: { route: 'index.html', title: 'Test page', ...render } },
  });
  return deployVersion;
}
