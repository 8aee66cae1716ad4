import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { expect } from 'chai';
import type { HttpErrorCode } from '../../contracts/errors.ts';
import { maxMetadataBytes, maxSingleFileBytes } from '../../contracts/limits.ts';
import { defaultPlans } from '../../contracts/plans.ts';
import type { UploadSession } from '../../contracts/rest/schemas/upload-sessions.ts';
import { sha256Of } from '../support/documents.ts';
import {
  call,
  countRows,
  expectRefusal,
  expectSuccess,
  uniqueSlug,
  unusedIds,
  useApi,
} from './api-fixture.ts';

const hourMs = 3_600_000;

interface TestFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  readonly mime?: string;
}

/** A file that no test has uploaded before. */
function createFile(path = 'index.html', bytes = randomBytes(100)) {
  const content = new Uint8Array(bytes);
  return { content, listed: { path, sha256: sha256Of(content), size: content.length } };
}

const entriesOf = (files: readonly TestFile[]) =>
  files.map(({ sha256, ...entry }) => ({ ...entry, blobHash: sha256 }));

const render = { route: 'index.html', title: 'Title' };

describe('upload sessions', () => {
  const api = useApi();

  const open = async (
    files: readonly TestFile[],
    deploy: object = { createDeploy: { slug: uniqueSlug(), name: 'Upload' } },
  ): Promise<UploadSession> =>
    (await expectSuccess(api(), 'createUploadSession', { body: { ...deploy, files } }))
      .uploadSession;

  /** Parameters and headers of a call to a session, with the SHA-256 of a file. */
  const to = ({ id, uploadToken }: UploadSession, sha256 = '') => ({
    params: { uploadSessionId: id, sha256 },
    headers: { 'X-Upload-Token': uploadToken },
  });

  const missingOf = async (session: UploadSession): Promise<string[]> => {
    const { missingBlobs } = await expectSuccess(api(), 'listMissingBlobs', to(session));
    return missingBlobs.map(({ sha256 }) => sha256);
  };

  it('are open for an hour and count the listed files and bytes', async () => {
    const files = [createFile('index.html').listed, createFile('a/b.css').listed];
    const session = await open(files);
    expect(session).to.include({ status: 'open', requestedFileCount: 2, requestedBytes: 200 });
    expect(session.expiresAt - session.createdAt).to.equal(hourMs);
    expect(session.uploadToken).to.match(/^upt_/);
    expect(session.deployId).to.match(/^dpl_/);
  });

  it('publish the uploaded files as numbered versions of one deploy', async () => {
    const { content, listed } = createFile();
    const copy = { ...listed, path: 'copy.html', mime: 'text/html' };
    const session = await open([listed, copy]);
    expect(await missingOf(session)).to.deep.equal([listed.sha256]);

    const blob = { sha256: listed.sha256, size: listed.size };
    const upload = { ...to(session, listed.sha256), body: content };
    for (const alreadyPresent of [false, true]) {
      const answer = await expectSuccess(api(), 'uploadBlob', upload);
      expect(answer.uploadSessionId).to.equal(session.id);
      expect(answer.alreadyPresent).to.equal(alreadyPresent);
      expect(answer.blob).to.include(blob);
    }
    expect(await missingOf(session)).to.deep.equal([]);

    const metadata = { team: { name: 'billing' }, ...JSON.parse('{"__proto__":1}') };
    const body = {
      entries: entriesOf([listed, copy]),
      render: { ...render, renderTimeoutMs: 5_000, metadata },
    };
    const commit = { ...to(session), body };
    const { deployVersion } = await expectSuccess(api(), 'commitUploadSession', commit);
    expect(deployVersion).to.include({
      deployId: session.deployId,
      displayId: 'v1',
      versionNo: 1,
      route: 'index.html',
      title: 'Title',
      renderTimeoutMs: 5_000,
      status: 'ready',
    });
    expect(JSON.parse(deployVersion.metadataJson ?? '')).to.deep.equal(metadata);

    const again = await expectSuccess(api(), 'commitUploadSession', commit);
    expect(again.deployVersion).to.deep.equal(deployVersion);
    const other = { ...body, render: { ...render, title: 'Other' } };
    const closed = { ...to(session), body: other };
    await expectRefusal(api(), 'commitUploadSession', 'upload_session_closed', closed);
    await expectRefusal(api(), 'uploadBlob', 'upload_session_closed', upload);
    await expectRefusal(api(), 'listMissingBlobs', 'upload_session_closed', to(session));

    const next = await open([listed], { deployId: session.deployId });
    expect(await missingOf(next), 'the workspace has it').to.deep.equal([]);
    const second = await expectSuccess(api(), 'commitUploadSession', {
      ...to(next),
      body: { entries: entriesOf([listed]), render },
    });
    expect(second.deployVersion).to.include({ versionNo: 2, displayId: 'v2' });
    expect(second.deployVersion.treeHash).not.to.equal(deployVersion.treeHash);
    expect(second.deployVersion).not.to.have.any.keys('renderTimeoutMs', 'metadataJson');
  });

  it('publish one version if the same commit is sent five times at the same time', async () => {
    const { content, listed } = createFile();
    const session = await open([listed]);
    await expectSuccess(api(), 'uploadBlob', { ...to(session, listed.sha256), body: content });
    const body = { entries: entriesOf([listed]), render };
    const commits = await Promise.all(
      Array.from({ length: 5 }, () =>
        expectSuccess(api(), 'commitUploadSession', { ...to(session), body }),
      ),
    );
    const ids = new Set(commits.map(({ deployVersion }) => deployVersion.id));
    expect(ids).to.have.lengthOf(1);
  });

  it('accept an empty file and one of the largest size', async () => {
    const files = [
      createFile('empty', Buffer.alloc(0)),
      createFile('large', randomBytes(maxSingleFileBytes)),
    ];
    const session = await open(files.map(({ listed }) => listed));
    for (const { listed, content } of files)
      await expectSuccess(api(), 'uploadBlob', { ...to(session, listed.sha256), body: content });
    expect(await missingOf(session)).to.deep.equal([]);
  });

  describe('store nothing of a blob', () => {
    const { content, listed } = createFile();
    const other = createFile('other', randomBytes(listed.size));
    const largest = { path: 'large', sha256: 'd'.repeat(64), size: maxSingleFileBytes };
    const changed = Uint8Array.from(content, (byte, at) => (at === 50 ? byte ^ 1 : byte));
    const mime = (type: string) => ({ 'Content-Type': type });
    const tooLarge = () => new Blob([new Uint8Array(maxSingleFileBytes + 1)]);

    interface BadBlob {
      readonly what: string;
      readonly code: HttpErrorCode;
      readonly sha256?: string;
      readonly body: () => unknown;
      readonly headers?: Record<string, string>;
    }
    const bad: BadBlob[] = [
      { what: 'with one bit changed', code: 'blob_hash_mismatch', body: () => changed },
      { what: 'cut short', code: 'blob_hash_mismatch', body: () => content.subarray(1) },
      {
        what: 'with a byte added',
        code: 'blob_hash_mismatch',
        body: () => Buffer.concat([content, Buffer.from('x')]),
      },
      { what: 'that is empty', code: 'blob_hash_mismatch', body: () => new Uint8Array() },
      { what: 'that is another one', code: 'blob_hash_mismatch', body: () => other.content },
      {
        what: 'that streams on after its size',
        code: 'blob_hash_mismatch',
        body: () => tooLarge().stream(),
      },
      {
        what: 'over the largest size, streamed',
        code: 'blob_too_large',
        sha256: largest.sha256,
        body: () => tooLarge().stream(),
      },
      {
        what: 'over the largest size, with Content-Length',
        code: 'blob_too_large',
        sha256: largest.sha256,
        body: () => new Uint8Array(maxSingleFileBytes + 1),
      },
      {
        what: 'that the session does not list',
        code: 'blob_not_in_session',
        sha256: other.listed.sha256,
        body: () => other.content,
      },
      {
        what: 'whose hash is malformed',
        code: 'blob_not_in_session',
        sha256: 'A'.repeat(64),
        body: () => content,
      },
      {
        what: 'sent as JSON',
        code: 'invalid_request',
        body: () => content,
        headers: mime('application/json'),
      },
      {
        what: 'sent encoded',
        code: 'invalid_request',
        body: () => content,
        headers: { 'Content-Encoding': 'gzip' },
      },
    ];
    let session: UploadSession;
    before(async () => {
      session = await open([listed, largest]);
    });
    for (const { what, code, sha256 = listed.sha256, body, headers } of bad)
      it(what, async () => {
        const { id } = api().workspace;
        const before = await countRows(api(), id);
        const input = to(session, sha256);
        await expectRefusal(api(), 'uploadBlob', code, {
          ...input,
          body: body(),
          headers: { ...input.headers, ...headers },
        });
        expect(await countRows(api(), id)).to.deep.equal(before);
        expect(await missingOf(session)).to.include(listed.sha256);
      });

    it('whose client continues to send, and read it to its end, so that its next request is answered', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (method: string, path: string, headers: object, body: Uint8Array) =>
        new Promise<number | undefined>((resolve, reject) => {
          const { apiKey } = api().workspace;
          const asking = httpRequest(`${api().service.baseUrl}${path}`, {
            agent,
            method,
            headers: { Authorization: `Bearer ${apiKey}`, ...headers },
          });
          asking.on('error', reject).on('response', (response) => {
            response.resume().on('end', () => resolve(response.statusCode));
          });
          asking.end(body);
        });
      const path = `/upload-sessions/${session.id}/blobs/${listed.sha256}`;
      const headers = {
        'X-Upload-Token': session.uploadToken,
        'Content-Type': 'application/octet-stream',
      };
      const long = new Uint8Array(2 * maxSingleFileBytes);
      expect(await ask('PUT', path, headers, long)).to.equal(400);
      expect(await ask('GET', '/deploys', {}, new Uint8Array())).to.equal(200);
      agent.destroy();
    });

    it('but leave the session open for the right bytes', async () => {
      await expectSuccess(api(), 'uploadBlob', { ...to(session, listed.sha256), body: content });
    });
  });

  describe('cannot be created', () => {
    const { listed: file } = createFile();
    const createDeploy = { slug: 'not-opened', name: 'Not opened' };
    const withFiles = (...files: unknown[]) => ({ createDeploy, files });
    const bodies: [string, unknown, HttpErrorCode?][] = [
      ['without files', { createDeploy }],
      ['with no file', withFiles()],
      ['with files that are no list', { createDeploy, files: file }],
      ['without a deploy', { files: [file] }],
      ['with two deploys', { createDeploy, deployId: unusedIds.deployId, files: [file] }],
      [
        'with a deploy that nobody has',
        { deployId: unusedIds.deployId, files: [file] },
        'deploy_not_found',
      ],
      ['with an id that is none', { deployId: '../x', files: [file] }, 'deploy_not_found'],
      ['with a new deploy without name', { createDeploy: { slug: 'x' }, files: [file] }],
      [
        'with temporaryRender of an existing deploy',
        { deployId: unusedIds.deployId, temporaryRender: true, files: [file] },
      ],
      ['with temporaryRender as text', { ...withFiles(file), temporaryRender: 'true' }],
      ['with an unknown field', { ...withFiles(file), force: true }],
      ['with an unknown field of a file', withFiles({ ...file, mode: 755 })],
      ['with a file without path', withFiles({ sha256: file.sha256, size: 1 })],
      ['with a hash in upper case', withFiles({ ...file, sha256: 'A'.repeat(64) })],
      ['with a hash cut short', withFiles({ ...file, sha256: 'a'.repeat(63) })],
      ['with a negative size', withFiles({ ...file, size: -1 })],
      ['with half a byte', withFiles({ ...file, size: 0.5 })],
      ['with a size as text', withFiles({ ...file, size: '1' })],
      ['with a MIME type that is none', withFiles({ ...file, mime: 'text' })],
      ['with a MIME type that splits a header', withFiles({ ...file, mime: 'text/html\r\nX: y' })],
      [
        'with a file that is too large',
        withFiles({ ...file, size: maxSingleFileBytes + 1 }),
        'upload_session_policy_limit_exceeded',
      ],
      ['with one hash in two sizes', withFiles(file, { ...file, path: 'b', size: 7 })],
      ['with one path twice', withFiles(file, file)],
      ['with one path in two cases', withFiles(file, { ...file, path: 'INDEX.html' })],
      ...[
        '../a',
        '/a',
        'a/../b',
        'a\\b',
        'a//b',
        './a',
        'a\n',
        'C:\\a',
        'e\u0301',
        '',
        '__payload',
      ].map((path): [string, unknown] => [
        `with the path ${JSON.stringify(path)}`,
        withFiles({ ...file, path }),
      ]),
    ];
    for (const [what, body, code = 'invalid_request' as const] of bodies)
      it(`${what}, and nothing is stored`, async () => {
        const { id } = api().workspace;
        const before = await countRows(api(), id);
        await expectRefusal(api(), 'createUploadSession', code, { body });
        expect(await countRows(api(), id)).to.deep.equal(before);
      });

    it('with the slug of another deploy, which does not change', async () => {
      const { id } = api().workspace;
      const body = { createDeploy: { slug: uniqueSlug(), name: 'First' }, files: [file] };
      await expectSuccess(api(), 'createUploadSession', { body });
      const before = await countRows(api(), id);
      await expectRefusal(api(), 'createUploadSession', 'deploy_slug_conflict', { body });
      expect(await countRows(api(), id)).to.deep.equal(before);
    });

    it('for a url deploy, which has no versions', async () => {
      const { deploy } = await expectSuccess(api(), 'createDeploy', {
        body: { slug: uniqueSlug(), name: 'Url', type: 'url', targetUrl: 'http://example.com' },
      });
      const body = { deployId: deploy.id, files: [file] };
      await expectRefusal(api(), 'createUploadSession', 'deploy_type_conflict', { body });
    });

    it('with more than the plan allows in one commit', async () => {
      const { apiKey, id } = await api().service.createWorkspace('blank');
      const { maxFilesPerDeployCommit = 0, maxBytesPerDeployCommit = 0 } =
        defaultPlans.blank?.policy ?? {};
      const many = Array.from({ length: maxFilesPerDeployCommit + 1 }, (_, place) => ({
        ...file,
        path: `${place}`,
      }));
      const large = Array.from(
        { length: Math.ceil(maxBytesPerDeployCommit / maxSingleFileBytes) + 1 },
        (_, place) => ({
          path: `${place}`,
          sha256: sha256Of(`${place}`),
          size: maxSingleFileBytes,
        }),
      );
      const before = await countRows(api(), id);
      for (const files of [many, large])
        await expectRefusal(api(), 'createUploadSession', 'upload_session_policy_limit_exceeded', {
          apiKey,
          body: withFiles(...files),
        });
      expect(await countRows(api(), id)).to.deep.equal(before);
    });
  });

  const routes: [string, string][] = [
    ['/', 'index.html'],
    ['/index.html', 'index.html'],
    ['/?lang=de&draft', 'index.html'],
    ['index.html#/invoice/7', 'index.html'],
    ['invoices/', 'invoices/index.html'],
    ['/invoices/?a=b#c', 'invoices/index.html'],
    ['a?b#c.html', 'a?b#c.html'],
  ];
  for (const [route, path] of routes)
    it(`can be committed with the route ${route}, which the answers return unchanged`, async () => {
      const { content, listed } = createFile(path);
      const session = await open([listed]);
      await expectSuccess(api(), 'uploadBlob', { ...to(session, listed.sha256), body: content });
      const { deployVersion } = await expectSuccess(api(), 'commitUploadSession', {
        ...to(session),
        body: { entries: entriesOf([listed]), render: { ...render, route } },
      });
      expect(deployVersion.route).to.equal(route);
      const body = { deployId: deployVersion.deployId };
      const { job } = await expectSuccess(api(), 'createRenderJob', { body });
      expect(job.deployVersionRoute).to.equal(route);
    });

  describe('cannot be committed', () => {
    const { content, listed } = createFile();
    const missing = createFile('missing').listed;
    const [entry] = entriesOf([listed]);
    const valid = { entries: [entry], render };
    const bodies: [string, unknown, HttpErrorCode?][] = [
      ['without entries', { render }],
      ['with no entry', { entries: [], render }],
      ['without render', { entries: [entry] }],
      ['without a route', { ...valid, render: { title: 'Title' } }],
      ['without a title', { ...valid, render: { route: 'index.html' } }],
      ['with a route that is no entry', { ...valid, render: { ...render, route: 'other.html' } }],
      ['with a route outside', { ...valid, render: { ...render, route: '../index.html' } }],
      [
        'with a route to a folder without index.html',
        { ...valid, render: { ...render, route: 'a/' } },
      ],
      ['with a route that is only slashes', { ...valid, render: { ...render, route: '//' } }],
      ['with an empty route', { ...valid, render: { ...render, route: '' } }],
      ['with a line break in the route', { ...valid, render: { ...render, route: '/?a\nb' } }],
      ['with a long route', { ...valid, render: { ...render, route: `/?${'x'.repeat(2_048)}` } }],
      ['with a time limit of 0', { ...valid, render: { ...render, renderTimeoutMs: 0 } }],
      ['with a time limit as text', { ...valid, render: { ...render, renderTimeoutMs: '5s' } }],
      [
        'with more metadata than every list of versions could carry',
        { ...valid, render: { ...render, metadata: { a: 'x'.repeat(maxMetadataBytes) } } },
      ],
      ['with metadata that is a list', { ...valid, render: { ...render, metadata: [] } }],
      [
        'with an unknown print option',
        { ...valid, render: { ...render, print: { formats: 'A4' } } },
      ],
      [
        'with metadata that is too deep',
        {
          ...valid,
          render: { ...render, metadata: { a: JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) } },
        },
      ],
      ['with one path twice', { ...valid, entries: [entry, entry] }],
      [
        'with one path in two cases',
        { ...valid, entries: [entry, { ...entry, path: 'INDEX.HTML' }] },
      ],
      ['with an unknown field', { ...valid, force: true }],
      ['with another size than listed', { ...valid, entries: [{ ...entry, size: 101 }] }],
      [
        'with a hash that is not listed',
        { ...valid, entries: [{ ...entry, blobHash: 'e'.repeat(64) }] },
        'blob_not_in_session',
      ],
      [
        'with a file that was not uploaded',
        { ...valid, entries: [entry, ...entriesOf([missing])] },
        'upload_incomplete',
      ],
      ...['../a', '/a', 'a\\b', 'a\u0000', '__payload'].map((path): [string, unknown] => [
        `with the path ${JSON.stringify(path)}`,
        { ...valid, entries: [entry, { ...entry, path }] },
      ]),
    ];
    let session: UploadSession;
    before(async () => {
      session = await open([listed, missing]);
      await expectSuccess(api(), 'uploadBlob', { ...to(session, listed.sha256), body: content });
    });
    for (const [what, body, code = 'invalid_request' as const] of bodies)
      it(`${what}, but stay open`, async () => {
        const { id } = api().workspace;
        const before = await countRows(api(), id);
        await expectRefusal(api(), 'commitUploadSession', code, { ...to(session), body });
        expect(await countRows(api(), id)).to.deep.equal(before);
        expect(await missingOf(session)).to.deep.equal([missing.sha256]);
      });

    it('with more than the plan allows in one commit', async () => {
      const { apiKey } = await api().service.createWorkspace('blank');
      const { maxFilesPerDeployCommit = 0 } = defaultPlans.blank?.policy ?? {};
      const { uploadSession } = await expectSuccess(api(), 'createUploadSession', {
        apiKey,
        body: { createDeploy: { slug: uniqueSlug(), name: 'Many' }, files: [listed] },
      });
      const entries = Array.from({ length: maxFilesPerDeployCommit + 1 }, (_, place) => ({
        ...entry,
        path: place === 0 ? render.route : `${place}`,
      }));
      await expectRefusal(api(), 'commitUploadSession', 'deploy_commit_policy_limit_exceeded', {
        apiKey,
        ...to(uploadSession),
        body: { entries, render },
      });
    });

    it('after their deploy was deleted', async () => {
      const own = await open([listed]);
      await expectSuccess(api(), 'deleteDeploy', { params: { deployId: own.deployId ?? '' } });
      await expectRefusal(api(), 'commitUploadSession', 'deploy_not_found', {
        ...to(own),
        body: valid,
      });
    });

    it('after they have expired, and accept no other call', async () => {
      const own = await open([listed]);
      const { sql } = api().service.database;
      await sql`update upload_sessions set expires_at = ${Date.now()} where id = ${own.id}`;
      const input = { ...to(own, listed.sha256) };
      const code = 'upload_session_expired';
      await expectRefusal(api(), 'listMissingBlobs', code, input);
      await expectRefusal(api(), 'uploadBlob', code, { ...input, body: content });
      await expectRefusal(api(), 'commitUploadSession', code, { ...input, body: valid });
    });
  });

  it('store nothing of an upload that the client aborted, and stay open', async () => {
    const { content, listed } = createFile('large', randomBytes(8 * 1024 ** 2));
    const session = await open([listed]);
    const { params, headers } = to(session, listed.sha256);
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(content.subarray(0, 5 * 1024 ** 2));
      },
      pull(controller) {
        controller.error(new Error('the client went away'));
      },
    });
    const aborted = call(api(), 'uploadBlob', { params, headers, body: broken });
    expect(await aborted.catch((error) => error)).to.be.instanceOf(Error);
    expect(await missingOf(session)).to.deep.equal([listed.sha256]);
    await expectSuccess(api(), 'uploadBlob', { params, headers, body: content });
  });
});
