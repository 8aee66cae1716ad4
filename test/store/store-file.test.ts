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
  async function* sound() {
    yield Buffer.from('sound');
  }
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('The client went away.');
  }
  const standingOf = async (file: File) => {
    const { sql } = database();
    const owed = await sql`select 1 from blob_deletions where blob_key = ${keyOf(file)}`;
    const recorded = await sql`select 1 from blobs where sha256 = ${file.sha256}`;
    return {
      stored: await blobs.exists(keyOf(file)),
      recorded: recorded.length,
      owed: owed.length,
    };
  };

  it('is stored, recorded, and owed to nobody', async () => {
    const file = newFile();
    await store(file, sound());
    expect(await standingOf(file)).to.deep.equal({ stored: true, recorded: 1, owed: 0 });
  });

  it('is owed to deletion when its upload breaks off, and when it cannot be recorded', async () => {
    const file = newFile();
    await store(file, broken()).catch(() => {});
    expect(await standingOf(file)).to.deep.equal({ stored: false, recorded: 0, owed: 1 });
    const ends: BlobStorage = {
      ...blobs,
      write: async (...call) => {
        await blobs.write(...call);
        throw new Error('The process ends here.');
      },
    };
    await store(file, sound(), ends).catch(() => {});
    expect(await standingOf(file)).to.deep.equal({ stored: true, recorded: 0, owed: 1 });
    await store(file, sound());
    expect(await standingOf(file)).to.deep.equal({ stored: true, recorded: 1, owed: 0 });
  });

  it('is not owed by an upload that breaks off while another has recorded it', async () => {
    const file = newFile();
    const recordsMeanwhile: BlobStorage = {
      ...blobs,
      write: async () => {
        await store(file, sound());
        throw new Error('The client went away.');
      },
    };
    await store(file, sound(), recordsMeanwhile).catch(() => {});
    expect(await standingOf(file)).to.deep.equal({ stored: true, recorded: 1, owed: 0 });
    await store(file, broken()).catch(() => {});
    expect(await standingOf(file), 'later').to.deep.include({ recorded: 1, owed: 0 });
  });

  it('is recorded once by many uploads at once', async () => {
    const file = newFile();
    await Promise.all(Array.from({ length: 10 }, () => store(file, sound())));
    expect(await standingOf(file)).to.deep.equal({ stored: true, recorded: 1, owed: 0 });
  });
});
