import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { heartbeat } from '@temporalio/activity';
import { ServiceError } from '../contracts/errors.ts';
import type { CommitUploadInput } from '../contracts/processes/workflows.ts';
import type { CommitEntry } from '../contracts/rest/schemas/commits.ts';
import { MiB } from '../contracts/units.ts';
import { cancelBlobDeletion } from '../store/blobs/blob-deletions.ts';
import { BlobNotFound } from '../store/blobs/blob-errors.ts';
import { blobKeys } from '../store/blobs/blob-keys.ts';
import type { BlobStorage } from '../store/blobs/blob-storage.ts';
import { getCommitEntries } from '../store/deploys/commits.ts';
import { mimeOf, unknownMime } from '../store/deploys/file-types.ts';
import {
  type RenderPackage,
  scheduleUnpublishedPackDeletion,
} from '../store/deploys/render-packs.ts';
import { deleteFileRecord } from '../store/deploys/workspace-files.ts';
import type { Store } from '../store/store.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RenderIndex } from './document-cache.ts';
import { readAhead } from './read-ahead.ts';

/** Most files are small and each read takes a round trip, so many are read at once. The bytes are limited because a worker builds packs of many commits at once. */
const readAheadBounds = { maxItems: 16, maxBytes: 16 * MiB };

/**
 * Writes the two blobs from which workers render a version, so that they need not read each file: the pack has the bytes of
 * all files, the index says where in the pack each file is. Both are named by the hash of the tree, so that equal trees share them.
 *
 * @throws ServiceError `upload_incomplete` when the storage lacks a file
 */
export const createBuildRenderPack =
  ({ store: { sql, blobs } }: Pick<ActivityDependencies, 'store'>) =>
  async (input: CommitUploadInput): Promise<RenderPackage> => {
    const { uploadSessionId, workspaceId, commitNo } = input;
    try {
      const entries = await getCommitEntries(sql, uploadSessionId, commitNo);
      const tree = entries.map(toTreeEntry).sort((a, b) => (a.path < b.path ? -1 : 1));
      const treeHash = hashTree(tree);
      const packKeys = blobKeys.renderPackage(workspaceId, treeHash);
      const renderPackage = { treeHash, ...packKeys };
      // The pack of a deleted version may be scheduled for deletion. This cancels that, or waits until the pack is deleted.
      const keys = Object.values(packKeys);
      for (const key of keys) await cancelBlobDeletion(sql, key, Date.now());
      // Until a version is published with it, the pack is scheduled for deletion. That includes a pack that exists already:
      // the commit that wrote it may have been refused, and so may this one.
      await scheduleUnpublishedPackDeletion(sql, { workspaceId, treeHash, keys, now: Date.now() });
      // If an earlier commit of the same tree has written both blobs, they need not be written again.
      const exist = await Promise.all(keys.map((key) => blobs.exists(key)));
      if (exist.every(Boolean)) return renderPackage;
      await blobs.write(packKeys.renderPackKey, readFiles(blobs, workspaceId, tree), unknownMime);
      await blobs.write(
        packKeys.renderIndexKey,
        Readable.from([Buffer.from(JSON.stringify(createIndex(tree)))]),
        'application/json',
      );
      return renderPackage;
    } catch (error) {
      if (!(error instanceof BlobNotFound)) throw error;
      await deleteRowsOfMissingFiles({ sql, blobs }, input);
      throw new ServiceError('upload_incomplete', undefined, { cause: error });
    }
  };

/** Deletes the rows of files that the storage lacks, so that `missing-blobs` lists them again. */
async function deleteRowsOfMissingFiles(
  { sql, blobs }: Pick<Store, 'sql' | 'blobs'>,
  { uploadSessionId, workspaceId, commitNo }: CommitUploadInput,
): Promise<void> {
  const entries = await getCommitEntries(sql, uploadSessionId, commitNo);
  for (const { blobHash } of entries) {
    if (!(await blobs.exists(blobKeys.file(workspaceId, blobHash))))
      await deleteFileRecord(sql, workspaceId, blobHash);
    heartbeat();
  }
}

interface TreeEntry {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  readonly mime: string;
}

const toTreeEntry = ({ path, blobHash, size, mime: explicitMime }: CommitEntry): TreeEntry => ({
  path,
  sha256: blobHash,
  size,
  mime: explicitMime ?? mimeOf(path),
});

const hashTree = (tree: readonly TreeEntry[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(tree.map(({ path, sha256, size, mime: type }) => [path, sha256, size, type])),
    )
    .digest('hex');

function createIndex(tree: readonly TreeEntry[]): RenderIndex {
  let offset = 0;
  // The object has no prototype, because a file may be called __proto__.
  const files: RenderIndex['files'] = Object.create(null);
  for (const { path, size, mime: type } of tree) {
    files[path] = { offset, size, mime: type };
    offset += size;
  }
  return { files };
}

/** Reads all files in the order of the tree, a few of them ahead. */
async function* readFiles(
  blobs: BlobStorage,
  workspaceId: string,
  tree: readonly TreeEntry[],
): AsyncGenerator<Uint8Array> {
  const files = readAhead(tree, {
    sizeOf: ({ size }) => size,
    fetch: async ({ sha256 }) => buffer(await blobs.read(blobKeys.file(workspaceId, sha256))),
    ...readAheadBounds,
  });
  for await (const bytes of files) {
    yield bytes;
    heartbeat();
  }
}
