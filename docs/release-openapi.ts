import { writeFile } from 'node:fs/promises';
import { createOpenApiDocument } from '../contracts/rest/openapi.ts';

/** The document of the last release, in the repository: what today's must not break. */
export const releasedDocument = new URL('openapi/v1.json', import.meta.url);

/** Run for a release, and only then, by `node docs/release-openapi.ts`: what it writes is promised from then on. */
if (import.meta.main) {
  const document = createOpenApiDocument('https://print.example.com/v1');
  await writeFile(releasedDocument, `${JSON.stringify(document, null, 2)}\n`);
}
