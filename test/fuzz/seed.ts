import { readExample } from '../../bench/example.ts';
import type { Client } from '../../client/client.ts';
import { deployFolder } from '../../client/deploy-folder.ts';
import { renderDocument } from '../../client/render-document.ts';
import { sha256Of } from '../support/documents.ts';

const pollMs = 100;

/** Creates one record of each kind. Returns the ids by the names that schemathesis.toml uses. */
export async function seed(client: Client, name: string): Promise<Record<string, string>> {
  const example = await readExample('invoice');
  const { deployId, id: versionId } = await deployFolder(client, {
    folder: example.folder,
    deploy: { createDeploy: { slug: name, name } },
    render: example.render,
  });
  await client.setAlias({
    params: { deployId, alias: 'production' },
    body: { deployVersionId: versionId },
  });
  const { deploy: urlDeploy } = await client.createDeploy({
    body: { slug: `${name}-url`, name, type: 'url', targetUrl: 'http://127.0.0.1:9/' },
  });
  const { payload } = example;
  const print = (outputMode: 'managed' | 'transient') =>
    renderDocument(client, { deployId, payload, outputMode }, { pollMs });
  const [managed, transient] = await Promise.all([print('managed'), print('transient')]);
  if (!managed.pdf) throw new Error(`The seed was not printed: ${managed.job.errorMessage}`);
  const pdfId = managed.pdf.id;
  const { link } = await client.createPermanentLink({ params: { pdfId } });
  const sha256 = sha256Of(name);
  const { uploadSession } = await client.createUploadSession({
    body: { deployId, files: [{ path: 'index.html', sha256, size: name.length }] },
  });
  return {
    deployId,
    versionId,
    urlDeployId: urlDeploy.id,
    managedJobId: managed.job.id,
    transientJobId: transient.job.id,
    pdfId,
    linkId: link.id,
    uploadSessionId: uploadSession.id,
    uploadToken: uploadSession.uploadToken,
    sha256,
  };
}
