import { expect } from 'chai';
import { blobKeys } from '../../store/blobs/blob-keys.ts';
import type { BlobStorage } from '../../store/blobs/blob-storage.ts';
import { storeFile } from '../../store/deploys/store-file.ts';
import { openContainer } from '../support/container.ts';
import { createFile, createTestWorkspace, noon, useDatabase } from './store-fixture.ts';

describe('a file that is uploaded', () => {
  const database = useDatabase();
  let blobs: BlobStorage;
  let workspaceId: string;
  before(async () => {
    blobs = await openContainer();
    ({ id: workspaceId } = await createTestWorkspace(database().sql));
  });

  const newFile = () => {
    const { sha256, size } = createFile();
    return { workspaceId, sha256, size, mime: null, now: noon };
  };
  type File = ReturnType<typeof newFile>;
  const keyOf = ({ sha256 }: File) => blobKeys.file(workspaceId, sha256);
  const store = (file: File, bytes: AsyncIterable<Uint8Array>, to = blobs) =>
    storeFile({ sql: database().sql, blobs: to }, file, bytes);
  async function* completeBytes() {
    yield Buffer.from('complete');
  }
  async function* interruptedBytes() {
    yield Buffer.from('half');
    throw new Error('The client went away.');
  }
  const stateOf = async (file: File) => {
    const { sql } = database();
    const scheduled = await sql`select 1 from blob_deletions where blob_key = ${keyOf(file)}`;
    const recorded = await sql`select 1 from blobs where sha256 = ${file.sha256}`;
    return {
      stored: await blobs.exists(keyOf(file)),
      recorded: recorded.length,
      scheduled: scheduled.length,
    };
  };

  it('is stored and recorded, and its deletion is no longer scheduled', async () => {
    const file = newFile();
    await store(file, completeBytes());
    expect(await stateOf(file)).to.deep.equal({ stored: true, recorded: 1, scheduled: 0 });
  });

  it('is scheduled for deletion if its upload breaks off or it cannot be recorded', async () => {
    const file = newFile();
    await store(file, interruptedBytes()).catch(() => {});
    expect(await stateOf(file)).to.deep.equal({ stored: false, recorded: 0, scheduled: 1 });
    const crashing: BlobStorage = {
      ...blobs,
      write: async (...call) => {
        await blobs.write(...call);
        throw new Error('The process ends here.');
      },
    };
    await store(file, completeBytes(), crashing).catch(() => {});
    expect(await stateOf(file)).to.deep.equal({ stored: true, recorded: 0, scheduled: 1 });
    await store(file, completeBytes());
    expect(await stateOf(file)).to.deep.equal({ stored: true, recorded: 1, scheduled: 0 });
  });

  it('is kept if an upload breaks off while another one has recorded it', async () => {
    const file = newFile();
    const recordingMeanwhile: BlobStorage = {
      ...blobs,
      write: async () => {
        await store(file, completeBytes());
        throw new Error('The client went away.');
      },
    };
    await store(file, completeBytes(), recordingMeanwhile).catch(() => {});
    expect(await stateOf(file)).to.deep.equal({ stored: true, recorded: 1, scheduled: 0 });
    await store(file, interruptedBytes()).catch(() => {});
    expect(await stateOf(file), 'later').to.deep.include({ recorded: 1, scheduled: 0 });
  });

  it('is recorded once by many simultaneous uploads', async () => {
    const file = newFile();
    await Promise.all(Array.from({ length: 10 }, () => store(file, completeBytes())));
    expect(await stateOf(file)).to.deep.equal({ stored: true, recorded: 1, scheduled: 0 });
  });
});
