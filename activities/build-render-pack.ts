import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { heartbeat } from '@temporalio/activity';
import { ServiceError } from '../contracts/errors.ts';
import type { CommitUploadInput } from '../contracts/processes/workflows.ts';
import type { CommitEntry } from '../contracts/rest/schemas/commits.ts';
import { MiB } from '../contracts/units.ts';
import { cancelBlobDeletion } from '../store/blobs/blob-deletions.ts';
import { type BlobStorage, blobKeys, isBlobMissing } from '../store/blobs/blob-storage.ts';
import { getCommitEntries } from '../store/deploys/commits.ts';
import {
  type RenderPackage,
  scheduleUnpublishedPackDeletion,
} from '../store/deploys/deploy-versions.ts';
import { mimeOf, unknownMime } from '../store/deploys/file-types.ts';
import { deleteBlobRow } from '../store/deploys/upload-sessions.ts';
import type { Store } from '../store/store.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RenderIndex } from './document-cache.ts';
import { readAhead } from './read-ahead.ts';

/** Files are small and the storage is far: many at once, but few of those that are large, because many commits are packed at once. */
const readAheadBounds = { maxItems: 16, maxBytes: 16 * MiB };

/**
 * Builds what a worker needs to render a version without asking for each file: the pack, all bytes one after another, and
 * the index, where each file lies in it. Both are named by the hash of the tree, so that equal trees share them.
 */
export const createBuildRenderPack =
  ({ store: { sql, blobs } }: Pick<ActivityDependencies, 'store'>) =>
  async (input: CommitUploadInput): Promise<RenderPackage> => {
    const { uploadSessionId, workspaceId, commitNo } = input;
    try {
      const entries = await getCommitEntries(sql, uploadSessionId, commitNo);
      const tree = entries.map(toTreeEntry).sort((a, b) => (a.path < b.path ? -1 : 1));
      const treeHash = hashTree(tree);
      const named = blobKeys.renderPackage(workspaceId, treeHash);
      const renderPackage = { treeHash, ...named };
      // A pack of a deleted version may be on its way out: take it back, or wait until it is gone.
      const keys = Object.values(named);
      for (const key of keys) await cancelBlobDeletion(sql, key, Date.now());
      // Owed until a version needs it, also one that is there: the commit that wrote it may have been refused, as this one may be.
      await scheduleUnpublishedPackDeletion(sql, { workspaceId, treeHash, keys, now: Date.now() });
      // Written whole by an earlier commit of the same tree.
      const written = await Promise.all(keys.map((key) => blobs.exists(key)));
      if (written.every(Boolean)) return renderPackage;
      await blobs.write(named.renderPackKey, readFiles(blobs, workspaceId, tree), unknownMime);
      await blobs.write(
        named.renderIndexKey,
        Readable.from([Buffer.from(JSON.stringify(createIndex(tree)))]),
        'application/json',
      );
      return renderPackage;
    } catch (error) {
      if (!isBlobMissing(error)) throw error;
      await forgetMissingFiles({ sql, blobs }, input);
      throw new ServiceError('upload_incomplete', undefined, { cause: error });
    }
  };

/** What the storage does not have, the workspace does not have: `missing-blobs` lists it again. */
async function forgetMissingFiles(
  { sql, blobs }: Pick<Store, 'sql' | 'blobs'>,
  { uploadSessionId, workspaceId, commitNo }: CommitUploadInput,
): Promise<void> {
  const entries = await getCommitEntries(sql, uploadSessionId, commitNo);
  for (const { blobHash } of entries) {
    if (!(await blobs.exists(blobKeys.file(workspaceId, blobHash))))
      await deleteBlobRow(sql, workspaceId, blobHash);
    heartbeat();
  }
}

interface TreeEntry {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  readonly mime: string;
}

const toTreeEntry = ({ path, blobHash, size, mime: given }: CommitEntry): TreeEntry => ({
  path,
  sha256: blobHash,
  size,
  mime: given ?? mimeOf(path),
});

const hashTree = (tree: readonly TreeEntry[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(tree.map(({ path, sha256, size, mime: type }) => [path, sha256, size, type])),
    )
    .digest('hex');

function createIndex(tree: readonly TreeEntry[]): RenderIndex {
  let offset = 0;
  // Without a prototype: a file may be called __proto__.
  const files: RenderIndex['files'] = Object.create(null);
  for (const { path, size, mime: type } of tree) {
    files[path] = { offset, size, mime: type };
    offset += size;
  }
  return { files };
}

/** The bytes of all files in the tree's order, a few fetched ahead. */
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
