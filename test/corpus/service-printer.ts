import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient } from '../../client/client.ts';
import { deployFolder } from '../../client/deploy-folder.ts';
import { downloadOutput, renderDocument } from '../../client/render-document.ts';
import { requireEnv } from '../support/environment.ts';
import { usualPayload } from './document.ts';
import type { FileMap } from './packages.ts';
import type { Printer } from './printer.ts';

/** Only one document is polled at a time, so a short interval costs the service almost nothing. */
const pollMs = 50;

/** Prints with a running service over its REST API. DRS_BASE_URL and DRS_API_KEY name it, as in `.data/dev.env`. */
export function servicePrinter(): Printer {
  const client = createClient({
    baseUrl: requireEnv('DRS_BASE_URL'),
    apiKey: requireEnv('DRS_API_KEY'),
  });
  return {
    print: async (document, site) => {
      const folder = await mkdtemp(join(tmpdir(), 'corpus-document-'));
      try {
        await writeFiles(folder, site.files);
        const slug = `corpus-${document.name}-${Date.now()}`;
        const { deployId } = await deployFolder(client, {
          folder,
          deploy: { createDeploy: { slug, name: document.name } },
          render: {
            route: 'index.html',
            title: document.name,
            metadata: { pdf: document.print ?? {} },
          },
        });
        const begin = performance.now();
        const payload = document.payload ?? usualPayload;
        const { job } = await renderDocument(client, { deployId, payload }, { pollMs });
        if (job.status !== 'succeeded') throw new Error(`${job.errorCode}: ${job.errorMessage}`);
        const pdf = await downloadOutput(client, job.id);
        return { pdf, elapsedMs: performance.now() - begin };
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function writeFiles(folder: string, files: FileMap): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
