import type { Config } from '../config/config.ts';
import type { BlobStorage } from './blobs/blob-storage.ts';
import { openBlobStorage } from './blobs/open-blob-storage.ts';
import { openDatabase, type Sql } from './database/connection.ts';
import { type Cursors, createCursors } from './database/cursors.ts';
import { migrate } from './database/migrate.ts';
import { createLinkTokens, type LinkTokens } from './secrets/link-tokens.ts';
import { createUploadTokens, type UploadTokens } from './secrets/upload-tokens.ts';
import { createWebhookSecrets, type WebhookSecrets } from './secrets/webhook-secrets.ts';

/** The database, the blob storage and the secrets. A process opens one store and passes it to all code that needs it. */
export interface Store extends AsyncDisposable {
  readonly sql: Sql;
  readonly blobs: BlobStorage;
  readonly cursors: Cursors;
  readonly uploadTokens: UploadTokens;
  readonly linkTokens: LinkTokens;
  readonly webhookSecrets: WebhookSecrets;
}

/** Closing waits this long for running statements. */
const closeTimeoutSeconds = 5;

/** Opens PostgreSQL and the blob storage. Applies new migrations and creates the container if it is missing. */
export async function openStore(config: Config): Promise<Store> {
  const sql = openDatabase(config.database.url, config.database.poolSize);
  const blobs = await openBlobStorage(config.blobs);
  await Promise.all([migrate(sql), blobs.prepare()]);
  return {
    sql,
    blobs,
    cursors: createCursors(config.secretKeys),
    uploadTokens: createUploadTokens(config.secretKeys),
    linkTokens: createLinkTokens(config.secretKeys),
    webhookSecrets: createWebhookSecrets(config.secretKeys),
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: closeTimeoutSeconds });
    },
  };
}
