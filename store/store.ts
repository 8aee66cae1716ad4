import type { Config } from '../config/config.ts';
import type { BlobStorage } from './blobs/blob-storage.ts';
import { openBlobStorage } from './blobs/open-blob-storage.ts';
import { openDatabase, type Sql } from './database/connection.ts';
import { type Cursors, createCursors } from './database/cursors.ts';
import { migrate } from './database/migrate.ts';
import {
  createLinkTokens,
  createWebhookSecrets,
  type LinkTokens,
  type WebhookSecrets,
} from './secrets/sealed.ts';
import { createUploadTokens, type UploadTokens } from './secrets/tokens.ts';

/** Everything that remembers, opened once a process and handed to whoever works with it. */
export interface Store extends AsyncDisposable {
  readonly sql: Sql;
  readonly blobs: BlobStorage;
  readonly cursors: Cursors;
  readonly uploadTokens: UploadTokens;
  readonly linkTokens: LinkTokens;
  readonly webhookSecrets: WebhookSecrets;
}

/** Time that a pool gives its last statements when it is closed. */
const closeTimeoutSeconds = 5;

/** Opens PostgreSQL and the blob storage; brings the schema up to date and makes the container, where they are not. */
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
