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

/** The index of a render pack: the position of each file of the version. */
export interface RenderIndex {
  readonly files: Record<
    string,
    { readonly offset: number; readonly size: number; readonly mime: string }
  >;
}

/** Disk space for the packs of a worker. The least recently used packs are evicted first. */
const maxCacheBytes = 4 * GiB;
/** The cache requires that each entry has a size, also an empty pack. */
const minEntryBytes = 1;

export interface OpenDocument extends AsyncDisposable {
  readonly type: 'package';
  readonly route: string;
  readonly files: DocumentFiles;
}

export interface DocumentCache extends AsyncDisposable {
  /** Opens a job's document. A worker fetches each pack once and then reads it from its disk, until the pack is evicted. */
  open(job: ClaimedJob): Promise<OpenDocument>;
}

interface CachedPack {
  readonly index: RenderIndex;
  readonly file: FileHandle;
  readonly bytes: number;
  /** The number of jobs that read the pack. The last of them closes a pack that was evicted. */
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

  const closeIfUnused = (pack: CachedPack): void => {
    if (pack.evicted && pack.readers === 0) void pack.file.close().catch(() => {});
  };

  const packs = new LRUCache<string, CachedPack, ClaimedJob>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ bytes }) => Math.max(bytes, minEntryBytes),
    dispose: (pack) => {
      pack.evicted = true;
      closeIfUnused(pack);
    },
    // Jobs that need the same pack share one fetch.
    fetchMethod: (_key, _stale, { context }) => fetchPack(context),
  });

  const fetchPack = async (job: ClaimedJob): Promise<CachedPack> => {
    if (job.document.type !== 'package') throw new Error(`Job ${job.jobId} has no package.`);
    const { renderIndexKey, renderPackKey } = job.document.renderPackage;
    const index = (await json(await blobs.read(renderIndexKey))) as RenderIndex;
    const path = join(folder, String(fetched++));
    await pipeline(await blobs.read(renderPackKey), createWriteStream(path));
    const file = await open(path, 'r');
    // The open file stays readable after its name is removed, and nothing is left on disk if the worker crashes.
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
          closeIfUnused(pack);
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
  // The rest of the buffer is old memory of the worker, which no page may see.
  if (bytesRead !== entry.size) throw new Error('A pack is shorter than its index says.');
  return { bytes, mime: entry.mime };
}
