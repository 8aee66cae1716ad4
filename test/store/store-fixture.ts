import { createHash } from 'node:crypto';
import { newId } from '../../contracts/ids.ts';
import { defaultPlans, type PlanCatalogue, type PlanPolicy } from '../../contracts/plans.ts';
import type { CommitBody } from '../../contracts/rest/schemas/commits.ts';
import {
  type CreateRenderJobBody,
  createRenderJobBody,
} from '../../contracts/rest/schemas/render-jobs.ts';
import type { RenderJobStatus } from '../../contracts/states.ts';
import type { Queryable, Sql, Transaction } from '../../store/database/connection.ts';
import { createOnce } from '../../store/database/idempotency.ts';
import { beginCommit } from '../../store/deploys/commits.ts';
import { createDeploy } from '../../store/deploys/deploys.ts';
import { publishVersion } from '../../store/deploys/publish-version.ts';
import { createUploadSession } from '../../store/deploys/upload-sessions.ts';
import { recordFile } from '../../store/deploys/workspace-files.ts';
import { acceptRenderJob } from '../../store/jobs/accept-render-job.ts';
import type { ClaimedJob } from '../../store/jobs/claim-render-job.ts';
import { claimRenderJob } from '../../store/jobs/claim-render-job.ts';
import {
  cancelRenderJob,
  failRenderJob,
  type RenderedPdf,
  succeedRenderJob,
} from '../../store/jobs/end-render-job.ts';
import { toPayload } from '../../store/jobs/payloads.ts';
import type { AttemptResult } from '../../store/jobs/render-attempts.ts';
import {
  postponeRenderJob,
  requeueRenderJob,
  scheduleRetry,
} from '../../store/jobs/retry-render-job.ts';
import { createLinkTokens } from '../../store/secrets/link-tokens.ts';
import { createWebhookSecrets } from '../../store/secrets/webhook-secrets.ts';
import { createWorkspace } from '../../store/workspaces/workspaces.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startForSuite } from '../support/suite-resources.ts';

export const plans = defaultPlans;
/** Creates the sealers of these secret keys, the current one first. */
export const sealersOf = (...secretKeys: string[]) => ({
  linkTokens: createLinkTokens(secretKeys),
  webhookSecrets: createWebhookSecrets(secretKeys),
});
export const sealers = sealersOf('a secret key of the tests of the store');

/** The time of the tests. Time is a parameter of the store, so tests need not wait. */
export const noon = Date.UTC(2026, 0, 1, 12);

const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;

/** Gives the calling suite a database of its own. */
export const useDatabase = (): (() => TestDatabase) => startForSuite(createDatabase);

export const policyOf = (plan: string, catalogue: PlanCatalogue = plans): PlanPolicy => {
  const found = catalogue[plan];
  if (!found) throw new Error(`No plan ${plan}.`);
  return found.policy;
};

export interface TestWorkspace {
  readonly id: string;
  readonly plan: string;
}

export const createTestWorkspace = async (
  sql: Queryable,
  plan = 'self_hosted',
): Promise<TestWorkspace> => ({
  id: await createWorkspace(sql, { name: 'Test', plan, now: noon }),
  plan,
});

export interface TestDeploy {
  readonly workspace: TestWorkspace;
  readonly deployId: string;
}

export async function createTestDeploy(
  sql: Queryable,
  workspace: TestWorkspace,
): Promise<TestDeploy> {
  const slug = newId('deploy').replace('_', '-');
  const { id } = await createDeploy(sql, {
    workspaceId: workspace.id,
    slug,
    name: slug,
    type: 'managed',
    now: noon,
  });
  return { workspace, deployId: id };
}

/** Returns the path, hash and size of a file with unique content. Nothing is stored. */
export function createFile(path = 'index.html') {
  const text = newId('output');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { path, sha256, size: text.length };
}

export type TestFile = ReturnType<typeof createFile>;

/** Creates an open session. Its files are recorded as uploaded unless `stored` is false. */
export async function createTestSession(
  sql: Sql,
  { workspace, deployId }: TestDeploy,
  files: readonly TestFile[] = [createFile()],
  { stored = true, now = noon } = {},
): Promise<string> {
  const body = { deployId, temporaryRender: false, files: [...files] };
  const { id } = await inTransaction(sql, (tx) =>
    createUploadSession(tx, {
      workspaceId: workspace.id,
      policy: policyOf(workspace.plan),
      body,
      ttlMs: hourMs,
      now,
    }),
  );
  if (stored)
    for (const { sha256, size } of files)
      await recordFile(sql, {
        workspaceId: workspace.id,
        sha256,
        size,
        mime: null,
        createdAt: noon,
      });
  return id;
}

export const inTransaction = async <T>(
  sql: Sql,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> => (await sql.begin(run)) as T;

export const commitBodyOf = (files: readonly TestFile[], title = 'Title') => ({
  entries: files.map(({ path, sha256, size }) => ({ path, blobHash: sha256, size })),
  render: { route: files[0]?.path ?? '', title },
});

export const beginTestCommit = (
  sql: Sql,
  workspace: TestWorkspace,
  uploadSessionId: string,
  body: CommitBody,
  { now = noon, plans: catalogue = plans }: { now?: number; plans?: PlanCatalogue } = {},
): Promise<number> =>
  beginCommit(sql, {
    workspaceId: workspace.id,
    policy: policyOf(workspace.plan, catalogue),
    uploadSessionId,
    body,
    requestId: 'test',
    now,
  });

const treeHash = 'b'.repeat(64);
export const renderPackage = {
  treeHash,
  renderIndexKey: `packs/${treeHash}.json`,
  renderPackKey: `packs/${treeHash}`,
};

export const publish = (sql: Sql, uploadSessionId: string): Promise<string> =>
  publishVersion(sql, plans, { uploadSessionId, renderPackage, now: noon });

export interface TestDocument extends TestDeploy {
  readonly deployVersionId: string;
}

/** Creates a deploy with one version in a new workspace. */
export async function createDocument(sql: Sql, plan?: string): Promise<TestDocument> {
  const workspace = await createTestWorkspace(sql, plan);
  const deploy = await createTestDeploy(sql, workspace);
  const files = [createFile()];
  const uploadSessionId = await createTestSession(sql, deploy, files);
  await beginTestCommit(sql, workspace, uploadSessionId, commitBodyOf(files));
  return { ...deploy, deployVersionId: await publish(sql, uploadSessionId) };
}

export interface AcceptOptions {
  readonly body?: Partial<CreateRenderJobBody>;
  /** The Idempotency-Key. */
  readonly key?: string | undefined;
  readonly now?: number;
  readonly plans?: PlanCatalogue;
  /** Runs in the transaction after the job was written. */
  readonly afterWrite?: () => Promise<void>;
}

/** Accepts a job as the API does. */
export async function accept(
  sql: Sql,
  { workspace, deployId }: TestDeploy,
  { body: change = {}, key, now = noon, plans: catalogue = plans, afterWrite }: AcceptOptions = {},
) {
  const body = createRenderJobBody.parse({ deployId, ...change });
  const call = { workspaceId: workspace.id, route: 'createRenderJob', key, body, now };
  const { result, replayed } = await createOnce(sql, call, async (tx) => {
    const job = await acceptRenderJob(tx, {
      workspaceId: workspace.id,
      body,
      payload: toPayload(body),
      plans: catalogue,
      policy: policyOf(workspace.plan, catalogue),
      retryDelaysMs: [5_000],
      requestId: 'test',
      now,
    });
    await afterWrite?.();
    return { job };
  });
  return { job: result.job, replayed };
}

export const claim = (
  sql: Sql,
  jobId: string,
  scheduledAt = noon,
): Promise<ClaimedJob | undefined> =>
  claimRenderJob(sql, plans, { jobId, scheduledAt, now: scheduledAt });

/** Reads a job in any state from its row. It has only the fields of a claimed job that tests need to settle it. */
export async function readJob(sql: Sql, jobId: string): Promise<ClaimedJob> {
  const [row] = await sql<ClaimedJob[]>`
    select id as job_id, workspace_id, attempt, workflow_attempt, output_mode from render_jobs where id = ${jobId}`;
  if (!row) throw new Error(`No job ${jobId}.`);
  return row;
}

export const attemptResult: AttemptResult = {
  outcome: 'succeeded',
  timings: { loadMs: 1, readyMs: 2, printMs: 3, storeMs: 4, browserMs: 10 },
  events: [],
  finishedAt: noon + 1_000,
};

export const pdfOf = (jobId: string): RenderedPdf => ({
  blobKey: `outputs/${jobId}/1.pdf`,
  fileName: 'document.pdf',
  bytes: 1_000,
  pageCount: 1,
  sha256: 'c'.repeat(64),
  receipt: {},
});

export const failure = { code: 'render_failed', message: 'It failed.' } as const;

export const succeed = (sql: Sql, job: ClaimedJob): Promise<boolean> =>
  succeedRenderJob(sql, plans, job, pdfOf(job.jobId), attemptResult, dayMs);

export const fail = (sql: Sql, job: ClaimedJob): Promise<RenderJobStatus | undefined> =>
  failRenderJob(sql, plans, { ...job, failure, now: noon });

export const retryLater = (sql: Sql, job: ClaimedJob): Promise<boolean> =>
  scheduleRetry(sql, {
    jobId: job.jobId,
    workflowAttempt: job.workflowAttempt,
    failure,
    retryAt: noon + 5_000,
    now: noon,
  });

export const postpone = (sql: Sql, { jobId }: ClaimedJob): Promise<boolean> =>
  postponeRenderJob(sql, { jobId, retryAt: noon + 5_000, shouldLog: true, now: noon });

export const cancel = (sql: Sql, { jobId, workspaceId }: ClaimedJob): Promise<void> =>
  cancelRenderJob(sql, plans, { jobId, workspaceId, now: noon });

export const requeue = (sql: Sql, { jobId }: ClaimedJob): Promise<boolean> =>
  requeueRenderJob(sql, { jobId, now: noon });

/** The steps from `queued` to each state. */
const stepsTo: Readonly<
  Record<RenderJobStatus, readonly ((sql: Sql, job: ClaimedJob) => unknown)[]>
> = {
  queued: [],
  rendering: [claimJob],
  retry_scheduled: [claimJob, retryLater],
  succeeded: [claimJob, succeed],
  failed: [claimJob, fail],
  canceled: [cancel],
};

function claimJob(sql: Sql, { jobId }: ClaimedJob) {
  return claim(sql, jobId);
}

/** Creates a job of the document and brings it to this status, with the store's own functions. */
export async function createJobIn(
  sql: Sql,
  document: TestDocument,
  status: RenderJobStatus,
  options: AcceptOptions = {},
): Promise<ClaimedJob> {
  const { job } = await accept(sql, document, options);
  for (const step of stepsTo[status]) await step(sql, await readJob(sql, job.id));
  return readJob(sql, job.id);
}

/**
 * Reads the workspace's rows and the whole outbox, to compare them before and after a call. It leaves out the tables of usage,
 * blob deletions and webhooks.
 */
export async function snapshot(sql: Sql, workspaceId: string): Promise<unknown> {
  return Promise.all([
    sql`select * from workspaces where id = ${workspaceId}`,
    sql`select * from render_jobs where workspace_id = ${workspaceId} order by id`,
    sql`select * from render_outputs where workspace_id = ${workspaceId} order by id`,
    sql`select * from pdfs where workspace_id = ${workspaceId} order by id`,
    sql`select * from idempotency_keys where workspace_id = ${workspaceId} order by key`,
    sql`select p.* from render_job_payloads p join render_jobs j on j.id = p.job_id
        where j.workspace_id = ${workspaceId} order by job_id`,
    sql`select a.* from render_attempts a join render_jobs j on j.id = a.job_id
        where j.workspace_id = ${workspaceId} order by job_id, workflow_attempt`,
    sql`select l.* from render_job_logs l join render_jobs j on j.id = l.job_id
        where j.workspace_id = ${workspaceId} order by l.id`,
    sql`select id, workflow_id, message from outbox order by id`,
  ]);
}

/** Returns the code of the ServiceError that a promise is rejected with. Any other result is thrown. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const outcome: unknown = await promise.then(
    () => new Error('The call succeeded.'),
    (error: unknown) => error,
  );
  if (outcome instanceof Error && 'code' in outcome && outcome.name === 'ServiceError')
    return String(outcome.code);
  throw outcome;
}
