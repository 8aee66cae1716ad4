import { writeFile } from 'node:fs/promises';
import { createOpenApiDocument } from '../contracts/rest/openapi.ts';

/** The OpenAPI document of the last release. Today's document must not break its clients. */
export const releasedDocument = new URL('openapi/v1.json', import.meta.url);

/** Run `node docs/release-openapi.ts` only for a release: everything in the document that it writes is a promise from then on. */
if (import.meta.main) {
  const document = createOpenApiDocument('https://print.example.com/v1');
  await writeFile(releasedDocument, `${JSON.stringify(document, null, 2)}\n`);
}
