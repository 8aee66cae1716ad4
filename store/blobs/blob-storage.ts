import { Readable } from 'node:stream';
import {
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
  RestError,
  SASProtocol,
  StorageRetryPolicyType,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { create as contentDisposition } from 'content-disposition';
import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { maxLinkLifetimeSeconds } from '../../contracts/limits.ts';
import { minuteMs, secondMs } from '../../contracts/units.ts';

/** Names of what is stored. Everything is below its workspace: what one tenant has tells nothing to another. */
export const blobKeys = {
  file: (workspaceId: string, sha256: string) => `${workspaceId}/blobs/${sha256}`,
  renderPackage: (workspaceId: string, treeHash: string) => ({
    renderIndexKey: `${workspaceId}/packs/${treeHash}.json`,
    renderPackKey: `${workspaceId}/packs/${treeHash}`,
  }),
  output: (workspaceId: string, jobId: string, workflowAttempt: number) =>
    `${workspaceId}/outputs/${jobId}/${workflowAttempt}.pdf`,
} as const;

export interface LinkOptions {
  readonly fileName: string;
  readonly contentType: string;
  readonly disposition: 'attachment' | 'inline';
  /** Unix ms, a whole second: signatures have no smaller unit. */
  readonly expiresAt: number;
  readonly now: number;
}

export interface BlobStorage {
  /** Origin of the links; undefined without a storage. */
  readonly linkOrigin: string | undefined;
  /** Makes the container when it is missing. */
  prepare(): Promise<void>;
  /** Stores a stream. Nothing appears under `key` unless the stream ends without error. */
  write(key: string, source: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;
  /** The bytes, or `count` of them from `offset` on. */
  read(key: string, range?: { offset: number; count: number }): Promise<Readable>;
  /** Deletes what may not be there. */
  delete(key: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  /** A read-only link that ends at `expiresAt` (REST 2.12). */
  createLink(key: string, options: LinkOptions): Promise<string>;
}

/** Up to this much is sent in one request; more is sent in blocks of it, so that memory stays bounded. */
const blockBytes = 4 * 1024 * 1024;
const parallelBlocks = 2;
/** Links are valid from a little earlier, because the clocks of this machine and of the storage may differ. */
const clockSkewMs = 5 * minuteMs;
/** From beginning to end: what the key of a user delegation lives at most. */
const maxLinkMs = maxLinkLifetimeSeconds * secondMs;

/** A call is given up after about 5 s of tries: an activity retries later, a client gets 503. */
const retryOptions = {
  retryPolicyType: StorageRetryPolicyType.EXPONENTIAL,
  maxTries: 3,
  retryDelayInMs: 200,
  maxRetryDelayInMs: 1_000,
};

export async function openBlobStorage(options: Config['blobs']): Promise<BlobStorage> {
  if (!options.account) return unconfiguredBlobStorage;
  const service = await openService(options.account);
  const container = service.getContainerClient(options.container);
  const publicUrl = (options.publicUrl ?? service.url).replace(/\/+$/, '');

  return {
    linkOrigin: new URL(publicUrl).origin,

    async prepare() {
      await container.createIfNotExists();
    },

    async write(key, source, contentType) {
      const blob = container.getBlockBlobClient(key);
      const blobHTTPHeaders = { blobContentType: contentType };
      const { head, rest } = await takeHead(source, blockBytes);
      if (rest === undefined) await blob.upload(head, head.length, { blobHTTPHeaders });
      else
        await blob.uploadStream(Readable.from(concat(head, rest)), blockBytes, parallelBlocks, {
          blobHTTPHeaders,
        });
    },

    async read(key, range) {
      const blob = container.getBlobClient(key);
      const { readableStreamBody } = await blob.download(range?.offset, range?.count);
      return readableStreamBody as Readable;
    },

    async delete(key) {
      await container.getBlobClient(key).deleteIfExists();
    },

    exists: (key) => container.getBlobClient(key).exists(),

    async createLink(key, { fileName, contentType, disposition, expiresAt, now }) {
      const values = {
        containerName: options.container,
        blobName: key,
        permissions: BlobSASPermissions.parse('r'),
        protocol: publicUrl.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp,
        startsOn: new Date(Math.max(now - clockSkewMs, expiresAt - maxLinkMs)),
        expiresOn: new Date(expiresAt),
        contentType,
        contentDisposition: contentDisposition(fileName, { type: disposition }),
      };
      const sas = await signLink(service, values);
      return `${publicUrl}/${options.container}/${encodeURI(key)}?${sas}`;
    },
  };
}

const notConfigured = (): Promise<never> =>
  Promise.reject(
    new ServiceError(
      'storage_unavailable',
      'No file storage is configured: the operator has to name one.',
    ),
  );

/** The store of a process that was given none. */
const unconfiguredBlobStorage: BlobStorage = {
  linkOrigin: undefined,
  prepare: async () => {},
  write: notConfigured,
  read: notConfigured,
  delete: notConfigured,
  exists: notConfigured,
  createLink: notConfigured,
};

async function openService(
  account: NonNullable<Config['blobs']['account']>,
): Promise<BlobServiceClient> {
  if ('connectionString' in account)
    return BlobServiceClient.fromConnectionString(account.connectionString, { retryOptions });
  // Loaded only where it is used: a process with an account key starts without it.
  const { DefaultAzureCredential } = await import('@azure/identity');
  const url = `https://${account.accountName}.blob.core.windows.net`;
  return new BlobServiceClient(url, new DefaultAzureCredential(), { retryOptions });
}

type SasValues = Parameters<typeof generateBlobSASQueryParameters>[0];

/** By the account's key, or, with a managed identity, by a key that the service delegates for the life of the link. */
async function signLink(service: BlobServiceClient, values: SasValues): Promise<string> {
  const { credential } = service;
  if (credential instanceof StorageSharedKeyCredential)
    return generateBlobSASQueryParameters(values, credential).toString();
  const { startsOn, expiresOn } = values;
  if (!startsOn || !expiresOn) throw new Error('A link needs a beginning and an end.');
  const key = await service.getUserDelegationKey(startsOn, expiresOn);
  return generateBlobSASQueryParameters(values, key, service.accountName).toString();
}

/** Reads up to `limit` bytes; `rest` is undefined when the source ended within them. */
async function takeHead(
  source: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ head: Buffer; rest: AsyncIterator<Uint8Array> | undefined }> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < limit) {
    const next = await iterator.next();
    if (next.done) return { head: Buffer.concat(chunks), rest: undefined };
    chunks.push(next.value);
    bytes += next.value.length;
  }
  return { head: Buffer.concat(chunks), rest: iterator };
}

async function* concat(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** True when the storage, not the request, is the trouble: the same call can succeed later. */
export const isStorageUnavailable = (error: unknown): boolean =>
  error instanceof RestError &&
  (error.statusCode === undefined || error.statusCode >= 500 || error.statusCode === 429);

/** True for a blob that is not there. */
export const isBlobMissing = (error: unknown): boolean =>
  error instanceof RestError && error.statusCode === 404;
