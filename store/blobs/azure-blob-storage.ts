import { finished, PassThrough, Readable } from 'node:stream';
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
import { maxLinkLifetimeSeconds } from '../../contracts/limits.ts';
import { minuteMs, secondMs } from '../../contracts/units.ts';
import { BlobNotFound, BlobStorageUnavailable } from './blob-errors.ts';
import type { BlobStorage } from './blob-storage.ts';

type AzureOptions = Extract<Config['blobs'], { provider: 'azure' }>;

/**
 * A file smaller than this is sent in one request. A larger one is sent in blocks of this size, so that memory stays bounded.
 */
const blockBytes = 4 * 1024 * 1024;
const parallelBlocks = 2;
/** Links are valid from a little earlier, because the clocks of this machine and of the storage may differ. */
const clockSkewMs = 5 * minuteMs;
/** The longest time from the start to the end of a link, which is also the longest life of a user delegation key. */
const maxLinkMs = maxLinkLifetimeSeconds * secondMs;
const tooManyRequests = 429;

/** A call fails after about 5 s of tries. An activity is then retried later, and a client gets 503. */
const retryOptions = {
  retryPolicyType: StorageRetryPolicyType.EXPONENTIAL,
  maxTries: 3,
  retryDelayInMs: 200,
  maxRetryDelayInMs: 1_000,
};

/** Opens one container of Azure Blob Storage, with an account key or a managed identity. */
export async function openAzureBlobStorage(options: AzureOptions): Promise<BlobStorage> {
  const service = await openService(options.account);
  const container = service.getContainerClient(options.container);
  const publicUrl = (options.publicUrl ?? service.url).replace(/\/+$/, '');

  return {
    linkOrigin: new URL(publicUrl).origin,

    prepare: mapErrors(async () => {
      await container.createIfNotExists();
    }),

    write: mapErrors(async (key, source, contentType) => {
      const blob = container.getBlockBlobClient(key);
      const blobHTTPHeaders = { blobContentType: contentType };
      const { start, rest } = await readStart(source, blockBytes);
      if (rest === undefined) await blob.upload(start, start.length, { blobHTTPHeaders });
      // A blob appears only when its list of blocks is committed, after the last block.
      else
        await blob.uploadStream(Readable.from(concat(start, rest)), blockBytes, parallelBlocks, {
          blobHTTPHeaders,
        });
    }),

    read: mapErrors(async (key, range) => {
      const blob = container.getBlobClient(key);
      const { readableStreamBody } = await blob.download(range?.offset, range?.count);
      return mapStreamErrors(readableStreamBody as Readable);
    }),

    delete: mapErrors(async (key) => {
      await container.getBlobClient(key).deleteIfExists();
    }),

    exists: mapErrors((key) => container.getBlobClient(key).exists()),

    createLink: mapErrors(async (key, { fileName, contentType, disposition, expiresAt, now }) => {
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
    }),
  };
}

async function openService(account: AzureOptions['account']): Promise<BlobServiceClient> {
  if ('connectionString' in account)
    return BlobServiceClient.fromConnectionString(account.connectionString, { retryOptions });
  // Loaded only here, so that a process with an account key starts without it.
  const { DefaultAzureCredential } = await import('@azure/identity');
  const url = `https://${account.accountName}.blob.core.windows.net`;
  return new BlobServiceClient(url, new DefaultAzureCredential(), { retryOptions });
}

type SasValues = Parameters<typeof generateBlobSASQueryParameters>[0];

/** Signs with the key of the account or, with a managed identity, with a key that the service delegates for the life of the link. */
async function signLink(service: BlobServiceClient, values: SasValues): Promise<string> {
  const { credential } = service;
  if (credential instanceof StorageSharedKeyCredential)
    return generateBlobSASQueryParameters(values, credential).toString();
  const { startsOn, expiresOn } = values;
  if (!startsOn || !expiresOn) throw new Error('A link needs a start and an end.');
  const key = await service.getUserDelegationKey(startsOn, expiresOn);
  return generateBlobSASQueryParameters(values, key, service.accountName).toString();
}

/** Reads chunks until they have `limit` bytes or more. `rest` is undefined if the source ended before. */
async function readStart(
  source: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ start: Buffer; rest: AsyncIterator<Uint8Array> | undefined }> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < limit) {
    const next = await iterator.next();
    if (next.done) return { start: Buffer.concat(chunks), rest: undefined };
    chunks.push(next.value);
    bytes += next.value.length;
  }
  return { start: Buffer.concat(chunks), rest: iterator };
}

async function* concat(
  start: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** Wraps a call so that it throws the errors of the interface `BlobStorage`. */
const mapErrors =
  <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    try {
      return await call(...args);
    } catch (error) {
      throw toBlobError(error);
    }
  };

/**
 * Converts an error of Azure to one of the interface `BlobStorage`. All other errors stay as they are, such as those of the
 * source of a write.
 */
function toBlobError(error: unknown): unknown {
  if (!(error instanceof RestError)) return error;
  const { statusCode } = error;
  if (statusCode === 404) return new BlobNotFound(error);
  // Without a status there was no answer.
  const isTemporary =
    statusCode === undefined || statusCode >= 500 || statusCode === tooManyRequests;
  return isTemporary ? new BlobStorageUnavailable(error) : error;
}

/**
 * Returns a stream of the download that fails with the errors of the interface `BlobStorage`. When a download breaks off, the SDK
 * asks for the rest again, and the stream fails only if that also fails. If the returned stream is destroyed, so is the SDK's.
 */
function mapStreamErrors(download: Readable): Readable {
  const mapped = new PassThrough();
  finished(download, (error) => {
    if (!error) return;
    const blobError = toBlobError(error);
    // The SDK reports a connection that broke as an AbortError or a plain error.
    mapped.destroy(
      blobError instanceof BlobNotFound ? blobError : new BlobStorageUnavailable(error),
    );
  });
  mapped.once('close', () => download.destroy());
  return download.pipe(mapped);
}
