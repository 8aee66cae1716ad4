import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import { GiB } from '../contracts/units.ts';
import type { DocumentFiles } from '../renderer/renderer.ts';
import type { BlobStorage } from '../store/blobs/blob-storage.ts';
import type { ClaimedJob } from '../store/jobs/claim-render-job.ts';

/** Where each file of a version lies in its render pack. */
export interface RenderIndex {
  readonly files: Record<
    string,
    { readonly offset: number; readonly size: number; readonly mime: string }
  >;
}

/** Disk that the packs of a worker take at most; the least recently used go first. */
const maxCacheBytes = 4 * GiB;
/** An empty pack still takes a place. */
const minEntryBytes = 1;

export interface OpenDocument extends AsyncDisposable {
  readonly type: 'package';
  readonly route: string;
  readonly files: DocumentFiles;
}

export interface DocumentCache extends AsyncDisposable {
  /** Opens a job's document, fetched once and then read from this worker's disk. */
  open(job: ClaimedJob): Promise<OpenDocument>;
}

interface CachedPack {
  readonly index: RenderIndex;
  readonly file: FileHandle;
  readonly bytes: number;
  /** Jobs that read it; a pack that was evicted is closed by the last of them. */
  readers: number;
  evicted: boolean;
}

export async function createDocumentCache(
  blobs: BlobStorage,
  folder: string,
): Promise<DocumentCache> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  let fetched = 0;

  const closeUnread = (pack: CachedPack): void => {
    if (pack.evicted && pack.readers === 0) void pack.file.close().catch(() => {});
  };

  const packs = new LRUCache<string, CachedPack, ClaimedJob>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ bytes }) => Math.max(bytes, minEntryBytes),
    dispose: (pack) => {
      pack.evicted = true;
      closeUnread(pack);
    },
    // One fetch for any number of jobs that wait for it.
    fetchMethod: (_key, _stale, { context }) => fetchPack(context),
  });

  const fetchPack = async (job: ClaimedJob): Promise<CachedPack> => {
    if (job.document.type !== 'package') throw new Error(`Job ${job.jobId} has no package.`);
    const { renderIndexKey, renderPackKey } = job.document.renderPackage;
    const index = (await json(await blobs.read(renderIndexKey))) as RenderIndex;
    const path = join(folder, String(fetched++));
    await pipeline(await blobs.read(renderPackKey), createWriteStream(path));
    const file = await open(path, 'r');
    // Open, it stays readable; without a name, nothing is left behind, however the worker ends.
    await rm(path);
    const bytes = Object.values(index.files).reduce((sum, { size }) => sum + size, 0);
    return { index, file, bytes, readers: 0, evicted: false };
  };

  return {
    async open(job) {
      if (job.document.type !== 'package') throw new Error(`Job ${job.jobId} has no package.`);
      const { renderPackage, route } = job.document;
      const pack = await packs.forceFetch(renderPackage.renderPackKey, { context: job });
      pack.readers++;
      return {
        type: 'package',
        route,
        files: {
          has: (path) => Object.hasOwn(pack.index.files, path),
          read: (path) => readFile(pack, path),
        },
        async [Symbol.asyncDispose]() {
          pack.readers--;
          closeUnread(pack);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      packs.clear();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readFile(
  { index, file }: CachedPack,
  path: string,
): ReturnType<DocumentFiles['read']> {
  if (!Object.hasOwn(index.files, path)) return undefined;
  const entry = index.files[path];
  if (!entry) return undefined;
  const bytes = Buffer.allocUnsafe(entry.size);
  const { bytesRead } = await file.read(bytes, 0, entry.size, entry.offset);
  // What was not read is memory of this process, and no page's business.
  if (bytesRead !== entry.size) throw new Error('A pack is shorter than its index says.');
  return { bytes, mime: entry.mime };
}
