import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Config } from '../../config/config.ts';
import { BlobNotFound } from '../../store/blobs/blob-errors.ts';
import type { BlobStorage } from '../../store/blobs/blob-storage.ts';
import { openBlobStorage } from '../../store/blobs/open-blob-storage.ts';
import { newContainer } from '../support/container.ts';
import { poll } from '../support/poll.ts';

/** The tests below run with each provider. To test another one, add a function that returns the options of a container that does not exist yet. */
const providers: Record<string, () => Config['blobs']> = { azure: newContainer };

const MiB = 1024 ** 2;

async function* inChunks(bytes: Uint8Array, chunkBytes = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function* failingAfter(bytes: number, error: Error): AsyncGenerator<Uint8Array> {
  yield* inChunks(randomBytes(bytes));
  throw error;
}

for (const [provider, newOptions] of Object.entries(providers))
  describe(`the blob storage (${provider})`, () => {
    let blobs: BlobStorage;
    const newKey = (): string => `ws_test/blobs/${randomUUID()}`;
    before(async () => {
      blobs = await openBlobStorage(newOptions());
      await blobs.prepare();
    });

    const readText = async (key: string, range?: { offset: number; count: number }) =>
      (await buffer(await blobs.read(key, range))).toString();
    const writeText = async (text: string): Promise<string> => {
      const key = newKey();
      await blobs.write(key, inChunks(Buffer.from(text)), 'text/plain');
      return key;
    };

    it('can be prepared by many processes at once', async () => {
      await Promise.all(Array.from({ length: 5 }, () => blobs.prepare()));
    });

    for (const bytes of [0, 1, 4 * MiB - 1, 4 * MiB, 4 * MiB + 1, 9 * MiB])
      it(`returns ${bytes} bytes as they were written`, async () => {
        const [key, content] = [newKey(), randomBytes(bytes)];
        await blobs.write(key, inChunks(content), 'application/octet-stream');
        expect((await buffer(await blobs.read(key))).equals(content)).to.equal(true);
        expect(await blobs.exists(key)).to.equal(true);
      });

    it('replaces a blob that is written again', async () => {
      const key = await writeText('first');
      await blobs.write(key, inChunks(Buffer.from('second')), 'text/plain');
      expect(await readText(key)).to.equal('second');
    });

    it('reads a range of a blob', async () => {
      expect(await readText(await writeText('0123456789'), { offset: 3, count: 4 })).to.equal(
        '3456',
      );
    });

    it('lets a reader stop early', async () => {
      const key = newKey();
      await blobs.write(key, inChunks(randomBytes(9 * MiB)), 'application/octet-stream');
      const stream = await blobs.read(key);
      for await (const chunk of stream) {
        expect(chunk.length).to.be.greaterThan(0);
        break;
      }
      expect(stream.destroyed).to.equal(true);
    });

    for (const bytes of [0, 1_000, 4 * MiB, 13 * MiB])
      it(`stores nothing when the source fails after ${bytes} bytes`, async () => {
        const [key, failure] = [newKey(), new Error('the client went away')];
        const writing = blobs.write(key, failingAfter(bytes, failure), 'application/pdf');
        expect(await writing.catch((error) => error)).to.equal(failure);
        expect(await blobs.exists(key)).to.equal(false);
      });

    it('keeps the earlier content when a later write fails', async () => {
      const key = await writeText('first');
      const writing = blobs.write(key, failingAfter(5 * MiB, new Error('no')), 'text/plain');
      await writing.catch(() => {});
      expect(await readText(key)).to.equal('first');
    });

    it('says that a blob does not exist', async () => {
      const key = newKey();
      expect(await blobs.exists(key)).to.equal(false);
      expect(await blobs.read(key).catch((error) => error)).to.be.instanceOf(BlobNotFound);
    });

    it('deletes a blob, and accepts that it is already gone', async () => {
      const key = await writeText('content');
      await blobs.delete(key);
      expect(await blobs.exists(key)).to.equal(false);
      await blobs.delete(key);
    });

    describe('links', () => {
      let key: string;
      before(async () => {
        key = newKey();
        await blobs.write(key, inChunks(Buffer.from('%PDF-')), 'application/octet-stream');
      });
      const createLink = (
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

      it('are on the origin that the storage names', async () => {
        expect(new URL(await createLink()).origin).to.equal(blobs.linkOrigin);
      });

      const names: [string, string][] = [
        ['invoice.pdf', 'attachment; filename=invoice.pdf'],
        ['Rechnung für Zoë.pdf', "filename*=UTF-8''Rechnung%20f%C3%BCr%20Zo%C3%AB.pdf"],
        ['請求書 😀.pdf', "filename*=UTF-8''%E8%AB%8B%E6%B1%82%E6%9B%B8%20%F0%9F%98%80.pdf"],
      ];
      for (const [fileName, header] of names)
        it(`download as ${fileName}, with the requested content type`, async () => {
          const response = await fetch(await createLink({ fileName }));
          expect(response.status).to.equal(200);
          expect(response.headers.get('Content-Type')).to.equal('application/pdf');
          expect(response.headers.get('Content-Disposition')).to.include(header);
          expect(await response.text()).to.equal('%PDF-');
        });

      it('show the PDF in the browser if requested', async () => {
        const response = await fetch(await createLink({ disposition: 'inline' }));
        expect(response.headers.get('Content-Disposition')).to.match(/^inline/);
      });

      it('can only read, and only this blob', async () => {
        const url = new URL(await createLink());
        const put = { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body: 'x' };
        expect((await fetch(url, put)).status).to.equal(403);
        expect((await fetch(url, { method: 'DELETE' })).status).to.equal(403);
        const other = await writeText('secret');
        url.pathname = url.pathname.replace(key, other);
        expect((await fetch(url)).status).to.equal(403);
      });

      it('end at their time', async () => {
        const url = await createLink({ expiresAt: Date.now() + 2_000 });
        expect((await fetch(url)).status).to.equal(200);
        await poll('the end of the link', async () => (await fetch(url)).status === 403);
      });
    });
  });
