import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { ServiceError } from '../../contracts/errors.ts';
import { BlobNotFound, BlobStorageUnavailable } from '../../store/blobs/blob-errors.ts';
import type { BlobStorage } from '../../store/blobs/blob-storage.ts';
import { openBlobStorage } from '../../store/blobs/open-blob-storage.ts';

const key = 'ws_test/blobs/a';
const now = Date.UTC(2026, 0, 1);
const linkOptions = {
  fileName: 'a.pdf',
  contentType: 'application/pdf',
  disposition: 'inline' as const,
  expiresAt: now + 60_000,
  now,
};

async function* content() {
  yield Buffer.from('content');
}

/** Starts a server that takes the place of Azure, because failures of the real storage cannot be forced. */
async function startFakeAzure(
  answer: RequestListener,
): Promise<{ server: Server; blobs: BlobStorage }> {
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, blobs: await openAt((server.address() as AddressInfo).port) };
}

const openAt = (port: number): Promise<BlobStorage> =>
  openBlobStorage({
    provider: 'azure',
    account: {
      connectionString: `DefaultEndpointsProtocol=http;AccountName=account;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:${port}/account;`,
    },
    container: 'container',
    publicUrl: undefined,
  });

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

const calls: Record<string, (blobs: BlobStorage) => Promise<unknown>> = {
  prepare: (blobs) => blobs.prepare(),
  write: (blobs) => blobs.write(key, content(), 'text/plain'),
  read: (blobs) => blobs.read(key),
  delete: (blobs) => blobs.delete(key),
  exists: (blobs) => blobs.exists(key),
};

describe('errors of Azure Blob Storage', () => {
  const servers: Server[] = [];
  const start = async (answer: RequestListener): Promise<BlobStorage> => {
    const { server, blobs } = await startFakeAzure(answer);
    servers.push(server);
    return blobs;
  };
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  for (const [name, call] of Object.entries(calls)) {
    for (const status of [429, 503])
      it(`are an outage when ${name} is answered with ${status}`, async () => {
        const blobs = await start((_request, response) => response.writeHead(status).end());
        expect(await errorOf(call(blobs))).to.be.instanceOf(BlobStorageUnavailable);
      });

    it(`are an outage when ${name} cannot connect`, async () => {
      const { server, blobs } = await startFakeAzure(() => {});
      await new Promise((resolve) => server.close(resolve));
      expect(await errorOf(call(blobs))).to.be.instanceOf(BlobStorageUnavailable);
    });

    it(`are no outage when ${name} is forbidden`, async () => {
      const blobs = await start((_request, response) => response.writeHead(403).end());
      const error = await errorOf(call(blobs));
      expect(error).to.be.instanceOf(Error);
      expect(error).not.to.be.instanceOf(BlobStorageUnavailable);
      expect(error).not.to.be.instanceOf(BlobNotFound);
    });
  }

  it('are an outage for the reader of a download that breaks off', async () => {
    let requests = 0;
    const blobs = await start((_request, response) => {
      if (++requests > 1) {
        response.writeHead(503).end();
        return;
      }
      response.writeHead(200, { 'Content-Length': 100, ETag: '"1"' });
      response.write('half');
      setImmediate(() => response.destroy());
    });
    const stream = await blobs.read(key);
    expect(await errorOf(buffer(stream))).to.be.instanceOf(BlobStorageUnavailable);
  });
});

describe('a service without a blob storage', () => {
  it('answers every call that needs one with storage_unavailable', async () => {
    const blobs = await openBlobStorage({ provider: 'none' });
    await blobs.prepare();
    expect(blobs.linkOrigin).to.equal(undefined);
    const { prepare: _prepare, ...others } = calls;
    const all = [
      ...Object.values(others),
      (storage: BlobStorage) => storage.createLink(key, linkOptions),
    ];
    for (const call of all) {
      const error = await errorOf(call(blobs));
      expect(error).to.be.instanceOf(ServiceError).with.property('code', 'storage_unavailable');
    }
  });
});
