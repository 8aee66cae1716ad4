import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { canonicalJson } from '../../contracts/json.ts';
import { defaultPlans, type Plan, type PlanCatalogue, policyOf } from '../../contracts/plans.ts';
import { workflowIds } from '../../contracts/processes/workflows.ts';
import { blobKeys } from '../../store/blobs/blob-keys.ts';
import type { Transaction } from '../../store/database/connection.ts';
import { beginCommit } from '../../store/deploys/commits.ts';
import { createUploadSession } from '../../store/deploys/upload-sessions.ts';
import { recordFile } from '../../store/deploys/workspace-files.ts';
import { acceptRenderJob } from '../../store/jobs/accept-render-job.ts';
import type { Store } from '../../store/store.ts';
import { sha256Of } from '../support/documents.ts';
import type { Step } from './fake-renderer.ts';

/** The built-in plans, and one that admits one job at a time. */
export const plans: PlanCatalogue = {
  ...defaultPlans,
  single: {
    ...(defaultPlans.blank as Plan),
    policy: { ...policyOf(defaultPlans, 'blank'), maxConcurrentRenderJobs: 1 },
  },
};

/** Short delays, so that tests need not wait for retries. */
export const shortRetryDelaysMs = [50, 50];
const sessionTtlMs = 3_600_000;
export const requestId = 'request-1';

/** A workspace with a deployed document. */
export interface Workspace {
  readonly id: string;
  readonly plan: string;
  readonly deployId: string;
  readonly deployVersionId: string;
}

export interface Job {
  readonly jobId: string;
  readonly workflowId: string;
  /** A part of the payload, and of the document's error message if it fails. */
  readonly secret: string;
}

export interface JobOptions {
  /** The step of each attempt. By default the job is printed at its first attempt. */
  readonly steps?: readonly Step[];
  readonly workspace?: Workspace;
  readonly retryDelaysMs?: readonly number[];
  readonly businessKey?: string;
  /** Runs in the transaction that accepts the job. */
  readonly also?: (tx: Transaction, workflowId: string) => PromiseLike<unknown>;
}

/** Accepts a job as the API does, in one transaction that writes the start of its workflow to the outbox. */
export async function acceptJob(
  { sql }: Pick<Store, 'sql'>,
  { workspace, steps = ['print'], also, ...options }: JobOptions & { workspace: Workspace },
): Promise<Job> {
  const secret = `secret-${randomUUID()}`;
  const payloadMime = 'application/json; charset=utf-8';
  return (await sql.begin(async (tx) => {
    const { id } = await acceptRenderJob(tx, {
      workspaceId: workspace.id,
      body: {
        deployId: workspace.deployId,
        deployVersionId: 'latest',
        businessKey: options.businessKey,
        payloadMime,
        outputMode: 'managed',
      },
      payload: { mime: payloadMime, bytes: Buffer.from(canonicalJson({ steps, secret })) },
      plans,
      policy: policyOf(plans, workspace.plan),
      retryDelaysMs: options.retryDelaysMs ?? shortRetryDelaysMs,
      requestId,
      now: Date.now(),
    });
    const workflowId = workflowIds.renderJob(id);
    await also?.(tx, workflowId);
    return { jobId: id, workflowId, secret };
  })) as Job;
}

export interface CommitOptions {
  readonly workspaceId: string;
  readonly slug: string;
  /** The database says that the page was uploaded, but the storage does not have it. */
  readonly lost?: boolean;
  /** The HTML of the page. By default different for each slug. */
  readonly page?: string;
}

export interface Commit {
  readonly uploadSessionId: string;
  readonly workflowId: string;
}

/** Uploads a document of one page and starts its commit, as the API does. */
export async function uploadAndCommit(
  { sql, blobs }: Pick<Store, 'sql' | 'blobs'>,
  {
    workspaceId,
    slug,
    lost = false,
    page: html = `<!doctype html><title>${slug}</title>`,
  }: CommitOptions,
): Promise<Commit> {
  const now = Date.now();
  const policy = policyOf(plans, 'self_hosted');
  const page = Buffer.from(html);
  const [path, sha256, size] = ['index.html', sha256Of(page), page.length];
  const body = {
    createDeploy: { slug, name: slug },
    temporaryRender: false,
    files: [{ path, sha256, size }],
  };
  const session = (await sql.begin((tx) =>
    createUploadSession(tx, { workspaceId, policy, body, ttlMs: sessionTtlMs, now }),
  )) as Awaited<ReturnType<typeof createUploadSession>>;
  await recordFile(sql, { workspaceId, sha256, size, mime: null, createdAt: now });
  if (!lost)
    await blobs.write(blobKeys.file(workspaceId, sha256), Readable.from([page]), 'text/html');
  const commitNo = await beginCommit(sql, {
    workspaceId,
    policy,
    uploadSessionId: session.id,
    body: {
      entries: [{ path, blobHash: sha256, size }],
      render: { route: path, title: `Title of ${slug}` },
    },
    requestId,
    now,
  });
  return {
    uploadSessionId: session.id,
    workflowId: workflowIds.commitUpload(session.id, commitNo),
  };
}
