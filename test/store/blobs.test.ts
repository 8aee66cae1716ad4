import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { type BlobStorage, isBlobMissing } from '../../store/blobs/blob-storage.ts';
import { openContainer } from '../support/container.ts';
import { poll } from '../support/poll.ts';

const MiB = 1024 ** 2;

async function* inChunks(bytes: Uint8Array, chunkBytes = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function* failingAfter(bytes: number, error: Error): AsyncGenerator<Uint8Array> {
  yield* inChunks(randomBytes(bytes));
  throw error;
}

describe('the blob store', () => {
  let blobs: BlobStorage;
  let written = 0;
  const newKey = (): string => `ws_test/blobs/${++written}`;
  before(async () => {
    blobs = await openContainer();
  });

  it('can be prepared by many processes at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => blobs.prepare()));
  });

  for (const bytes of [0, 1, 4 * MiB - 1, 4 * MiB, 4 * MiB + 1, 9 * MiB])
    it(`gives ${bytes} bytes back as they were written`, async () => {
      const [key, content] = [newKey(), randomBytes(bytes)];
      await blobs.write(key, inChunks(content), 'application/octet-stream');
      expect((await buffer(await blobs.read(key))).equals(content)).to.equal(true);
      expect(await blobs.exists(key)).to.equal(true);
    });

  for (const bytes of [0, 1_000, 4 * MiB, 13 * MiB])
    it(`keeps nothing of a source that fails after ${bytes} bytes`, async () => {
      const [key, trouble] = [newKey(), new Error('the client went away')];
      const writing = blobs.write(key, failingAfter(bytes, trouble), 'application/pdf');
      expect(await writing.catch((error) => error)).to.equal(trouble);
      expect(await blobs.exists(key)).to.equal(false);
    });

  it('keeps what was there when a later write fails', async () => {
    const [key, content] = [newKey(), Buffer.from('first')];
    await blobs.write(key, inChunks(content), 'text/plain');
    const failing = blobs.write(key, failingAfter(5 * MiB, new Error('no')), 'text/plain');
    await failing.catch(() => {});
    expect((await buffer(await blobs.read(key))).toString()).to.equal('first');
  });

  it('tells a blob that is not there', async () => {
    const key = newKey();
    expect(await blobs.exists(key)).to.equal(false);
    expect(isBlobMissing(await blobs.read(key).catch((error) => error))).to.equal(true);
  });

  describe('links', () => {
    let key: string;
    before(async () => {
      key = newKey();
      await blobs.write(key, inChunks(Buffer.from('%PDF-')), 'application/octet-stream');
    });
    const link = (
      change: { fileName?: string; disposition?: 'inline'; expiresAt?: number } = {},
    ) => {
      const now = Date.now();
      return blobs.createLink(key, {
        fileName: 'document.pdf',
        contentType: 'application/pdf',
        disposition: 'attachment',
        expiresAt: now + 60_000,
        now,
        ...change,
      });
    };

    const names: [string, string][] = [
      ['invoice.pdf', 'attachment; filename=invoice.pdf'],
      ['Rechnung für Zoë.pdf', "filename*=UTF-8''Rechnung%20f%C3%BCr%20Zo%C3%AB.pdf"],
      ['請求書 😀.pdf', "filename*=UTF-8''%E8%AB%8B%E6%B1%82%E6%9B%B8%20%F0%9F%98%80.pdf"],
    ];
    for (const [fileName, header] of names)
      it(`download as ${fileName}, with the content type asked for`, async () => {
        const response = await fetch(await link({ fileName }));
        expect(response.status).to.equal(200);
        expect(response.headers.get('Content-Type')).to.equal('application/pdf');
        expect(response.headers.get('Content-Disposition')).to.include(header);
        expect(await response.text()).to.equal('%PDF-');
      });

    it('show the PDF in the browser where asked', async () => {
      const response = await fetch(await link({ disposition: 'inline' }));
      expect(response.headers.get('Content-Disposition')).to.match(/^inline/);
    });

    it('can only read, and only this blob', async () => {
      const url = new URL(await link());
      const put = { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body: 'x' };
      expect((await fetch(url, put)).status).to.equal(403);
      expect((await fetch(url, { method: 'DELETE' })).status).to.equal(403);
      const other = newKey();
      await blobs.write(other, inChunks(Buffer.from('secret')), 'text/plain');
      url.pathname = url.pathname.replace(key, other);
      expect((await fetch(url)).status).to.equal(403);
    });

    it('end when they say', async () => {
      const url = await link({ expiresAt: Date.now() + 2_000 });
      expect((await fetch(url)).status).to.equal(200);
      await poll('the end of the link', async () => (await fetch(url)).status === 403);
    });
  });
});
