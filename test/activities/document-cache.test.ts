import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import {
  createDocumentCache,
  type DocumentCache,
  type RenderIndex,
} from '../../activities/document-cache.ts';
import { blobKeys } from '../../store/blobs/blob-keys.ts';
import type { BlobStorage } from '../../store/blobs/blob-storage.ts';
import type { ClaimedJob } from '../../store/jobs/claim-render-job.ts';
import { openContainer } from '../support/container.ts';

describe('the document cache of a worker', () => {
  let blobs: BlobStorage;
  let folder: string;
  let documents: DocumentCache;
  before(async () => {
    blobs = await openContainer();
    folder = await mkdtemp(join(tmpdir(), 'documents-'));
    documents = await createDocumentCache(blobs, folder);
  });
  after(async () => {
    await documents[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  let packs = 0;
  /** Stores the pack and the index of a version, and returns a job that prints this version. */
  const storeVersion = async (files: RenderIndex['files'], pack: string): Promise<ClaimedJob> => {
    const treeHash = String(++packs);
    const keys = blobKeys.renderPackage('ws_test', treeHash);
    await blobs.write(keys.renderPackKey, Readable.from([Buffer.from(pack)]), 'text/plain');
    const index = Buffer.from(JSON.stringify({ files }));
    await blobs.write(keys.renderIndexKey, Readable.from([index]), 'application/json');
    const renderPackage = { treeHash, ...keys };
    const document = { type: 'package', route: 'index.html', renderPackage } as const;
    return { jobId: `job_${treeHash}`, document } as unknown as ClaimedJob;
  };

  const open = async (job: ClaimedJob) => {
    const document = await documents.open(job);
    if (document.type !== 'package') throw new Error('The document has no package.');
    return document;
  };

  it('reads each file from the pack, and returns undefined for other paths', async () => {
    const text = 'text/plain';
    const files = {
      'a.txt': { offset: 0, size: 3, mime: text },
      'b.txt': { offset: 3, size: 4, mime: text },
      'empty.txt': { offset: 7, size: 0, mime: text },
    };
    await using document = await open(await storeVersion(files, 'onefour'));
    const read = async (path: string) => String((await document.files.read(path))?.bytes);
    expect(await read('a.txt')).to.equal('one');
    expect(await read('b.txt')).to.equal('four');
    expect(await read('empty.txt')).to.equal('');
    for (const path of Object.keys(files)) expect(document.files.has(path), path).to.equal(true);
    for (const path of ['c.txt', '__proto__', 'constructor', '']) {
      expect(await document.files.read(path), path).to.equal(undefined);
      expect(document.files.has(path), path).to.equal(false);
    }
  });

  it('fails when a pack is shorter than its index says, and returns no memory of the worker', async () => {
    const files = { 'a.txt': { offset: 0, size: 1_000, mime: 'text/plain' } };
    await using document = await open(await storeVersion(files, 'short'));
    const error = await document.files.read('a.txt')?.then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error?.message).to.include('shorter');
  });

  it('fetches a document once for any number of jobs, and leaves no file that would remain after a crash', async () => {
    const files = { 'a.txt': { offset: 0, size: 3, mime: 'text/plain' } };
    const job = await storeVersion(files, 'one');
    let reads = 0;
    const countingBlobs: BlobStorage = {
      ...blobs,
      read: (...call) => {
        reads += 1;
        return blobs.read(...call);
      },
    };
    const ownFolder = join(folder, 'own');
    await using cache = await createDocumentCache(countingBlobs, ownFolder);
    const opened = await Promise.all(Array.from({ length: 5 }, () => cache.open(job)));
    // One read of the index, and one of the pack.
    expect(reads).to.equal(2);
    expect(await readdir(ownFolder)).to.deep.equal([]);
    for (const document of opened) await document[Symbol.asyncDispose]();
  });
});
