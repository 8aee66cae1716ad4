import { randomUUID } from 'node:crypto';
import { triggerCleanUp } from '../support/clean-up.ts';
import { sha256Of } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import {
  type ApiTarget,
  call,
  expectSuccess,
  uniqueSlug,
  useApi,
  useOtherApi,
} from './api-fixture.ts';
import { testMatrix } from './state-matrix.ts';

describe('an upload session', function () {
  this.timeout(60_000);
  const api = useApi();
  /** Another API process, which creates sessions that expire at once. */
  const expiringApi = useOtherApi(api, () => ({ UPLOAD_SESSION_TTL: '1ms' }));

  interface Session {
    readonly id: string;
    readonly uploadToken: string;
    readonly deployId: string;
    readonly content: Uint8Array;
    /** Lets a blocked commit continue. */
    readonly release?: () => void;
  }
  /** Functions that release the blocked commits at the end. */
  const releases: (() => Promise<unknown>)[] = [];

  const inputOf = ({ id, uploadToken, content }: Session) => ({
    params: { uploadSessionId: id, sha256: sha256Of(content) },
    headers: { 'X-Upload-Token': uploadToken },
  });
  const bodyOf = ({ content }: Session, title = 'Title') => ({
    entries: [{ path: 'index.html', blobHash: sha256Of(content), size: content.length }],
    render: { route: 'index.html', title },
  });
  const upload = (session: Session) =>
    call(api(), 'uploadBlob', { ...inputOf(session), body: session.content });
  const commit = (session: Session, title?: string) =>
    call(api(), 'commitUploadSession', { ...inputOf(session), body: bodyOf(session, title) });

  const open = async (target: ApiTarget = api()): Promise<Session> => {
    const content = new TextEncoder().encode(randomUUID());
    const file = { path: 'index.html', sha256: sha256Of(content), size: content.length };
    const createDeploy = { slug: uniqueSlug(), name: 'States' };
    const { uploadSession } = await expectSuccess(target, 'createUploadSession', {
      body: { createDeploy, files: [file] },
    });
    return { ...uploadSession, deployId: uploadSession.deployId ?? '', content };
  };
  const openWithFiles = async (): Promise<Session> => {
    const session = await open();
    await upload(session);
    return session;
  };
  const statusOf = async ({ id }: Session): Promise<unknown> => {
    const [row] = await api().service.database.sql`
      select status from upload_sessions where id = ${id}`;
    return row?.status;
  };
  /** Starts a commit that cannot end: publishing needs the row of the deploy, which is locked. */
  const holdCommit = async (): Promise<Session> => {
    const session = await openWithFiles();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const { sql } = api().service.database;
    const holding = sql.begin(async (tx) => {
      await tx`select from deploys where id = ${session.deployId} for update`;
      locked.resolve();
      await released;
    });
    await locked.promise;
    const committing = commit(session);
    releases.push(() => {
      release();
      return Promise.all([holding, committing]);
    });
    await poll('the session to commit', async () => (await statusOf(session)) === 'committing');
    return { ...session, release };
  };
  /** Sends the same commit again. If the first one is blocked, it is released after the second has joined it. */
  const commitAgain = async (session: Session) => {
    const answering = commit(session);
    await call(api(), 'listMissingBlobs', inputOf(session));
    session.release?.();
    return answering;
  };

  const expired = {
    'missing-blobs': '410 upload_session_expired',
    'blob upload': '410 upload_session_expired',
    commit: '410 upload_session_expired',
    'another commit': '410 upload_session_expired',
  } as const;

  testMatrix({
    title: 'by its state',
    operations: {
      'missing-blobs': (session: Session) => call(api(), 'listMissingBlobs', inputOf(session)),
      'blob upload': upload,
      'another commit': (session) => commit(session, 'Another'),
      commit: commitAgain,
    },
    release: () => Promise.all(releases.map((release) => release())),
    changing: ['blob upload', 'commit', 'another commit'],
    states: {
      'open, file missing': {
        reach: open,
        expected: {
          'missing-blobs': '200',
          'blob upload': '200',
          commit: '409 upload_incomplete',
          'another commit': '409 upload_incomplete',
        },
      },
      'open, file uploaded': {
        reach: openWithFiles,
        expected: {
          'missing-blobs': '200',
          'blob upload': '200',
          commit: '200',
          'another commit': '200',
        },
      },
      committing: {
        reach: holdCommit,
        expected: {
          'missing-blobs': '409 commit_in_progress',
          'blob upload': '409 commit_in_progress',
          commit: '200',
          'another commit': '409 commit_in_progress',
        },
      },
      committed: {
        async reach() {
          const session = await openWithFiles();
          await commit(session);
          return session;
        },
        expected: {
          'missing-blobs': '409 upload_session_closed',
          'blob upload': '409 upload_session_closed',
          commit: '200',
          'another commit': '409 upload_session_closed',
        },
      },
      expired: { reach: () => open(expiringApi()), expected: expired },
      'expired, after a clean-up': {
        async reach() {
          const session = await open(expiringApi());
          await triggerCleanUp(api().service);
          await poll('the clean-up', async () => (await statusOf(session)) === 'expired');
          return session;
        },
        expected: expired,
      },
    },
  });
});
