import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { heartbeat } from '@temporalio/activity';
import { ServiceError } from '../contracts/errors.ts';
import type { CommitEntry } from '../contracts/schemas/upload-sessions.ts';
import type { CommitUploadInput } from '../contracts/workflows.ts';
import { takeBackDeletion } from '../store/blob-deletions.ts';
import { type BlobStore, blobKeys, isBlobMissing } from '../store/blobs.ts';
import { getCommitEntries } from '../store/commits.ts';
import type { RenderPackage } from '../store/deploy-versions.ts';
import { mimeOf, unknownMime } from '../store/file-types.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { RenderIndex } from './document-cache.ts';

/** Files fetched ahead of the one that is written: a round trip each is what a pack of small files costs. */
const readAhead = 16;

/**
 * Builds what a worker needs to render a version without asking for each file: the pack, all bytes one after another, and
 * the index, where each file lies in it. Both are named by the hash of the tree, so that equal trees share them.
 */
export const createBuildRenderPack =
  ({ store: { sql, blobs } }: Pick<ActivityDependencies, 'store'>) =>
  async ({ uploadSessionId, workspaceId }: CommitUploadInput): Promise<RenderPackage> => {
    try {
      const entries = await getCommitEntries(sql, uploadSessionId);
      const tree = entries.map(toTreeEntry).sort((a, b) => (a.path < b.path ? -1 : 1));
      const treeHash = hashTree(tree);
      const renderPackage = {
        treeHash,
        renderIndexKey: blobKeys.renderIndex(workspaceId, treeHash),
        renderPackKey: blobKeys.renderPack(workspaceId, treeHash),
      };
      // A pack of a deleted version may be on its way out: take it back, or wait until it is gone.
      for (const key of [renderPackage.renderIndexKey, renderPackage.renderPackKey])
        await takeBackDeletion(sql, key, Date.now());
      // The index is written last: where it is, the pack is whole.
      if (await blobs.exists(renderPackage.renderIndexKey)) return renderPackage;
      await blobs.write(
        renderPackage.renderPackKey,
        readFiles(blobs, workspaceId, tree),
        unknownMime,
      );
      await blobs.write(
        renderPackage.renderIndexKey,
        Readable.from([Buffer.from(JSON.stringify(createIndex(tree)))]),
        'application/json',
      );
      return renderPackage;
    } catch (error) {
      if (isBlobMissing(error))
        throw new ServiceError('upload_incomplete', undefined, { cause: error });
      throw error;
    }
  };

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
  const files: RenderIndex['files'] = {};
  for (const { path, size, mime: type } of tree) {
    files[path] = { offset, size, mime: type };
    offset += size;
  }
  return { files };
}

/** The bytes of all files in the tree's order, a few fetched ahead. */
async function* readFiles(
  blobs: BlobStore,
  workspaceId: string,
  tree: readonly TreeEntry[],
): AsyncGenerator<Uint8Array> {
  const fetchFile = async ({ sha256 }: TreeEntry): Promise<Buffer> =>
    buffer(await blobs.read(blobKeys.file(workspaceId, sha256)));
  const ahead: Promise<Buffer>[] = [];
  for (const [at] of tree.entries()) {
    for (let next = at + ahead.length; next < Math.min(at + readAhead, tree.length); next++) {
      const file = fetchFile(tree[next] as TreeEntry);
      // Its error is thrown when it is its turn; until then it is not an unhandled one.
      file.catch(() => {});
      ahead.push(file);
    }
    yield (await ahead.shift()) as Buffer;
    heartbeat();
  }
}
