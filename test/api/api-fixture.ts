import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CallAnswer } from '../../client/client.ts';
import { errors, type HttpErrorCode, sendsRetryAfter } from '../../contracts/errors.ts';
import { defaultPlans, type Plan, type PlanPolicy } from '../../contracts/plans.ts';
import { errorsOf, pathParametersOf, type Route } from '../../contracts/rest/route.ts';
import { type OperationId, type Routes, routes } from '../../contracts/rest/routes.ts';
import { errorBodySchema } from '../../contracts/rest/schemas/errors.ts';
import type { RenderJobAnswer } from '../../contracts/rest/schemas/render-jobs.ts';
import { isTerminal, type RenderJobStatus } from '../../contracts/states.ts';
import { poll } from '../support/poll.ts';
import { type Service, startService, type Workspace } from '../support/service.ts';
import { shareBetweenSuites, startForSuite } from '../support/suite-resources.ts';
import { recordAnswer, recordJobError } from './observed.ts';

/** The service that all suites of this folder share. It may reach `pages` on loopback. */
export interface Api extends AsyncDisposable {
  readonly service: Service;
  /** On a plan without limits. A suite that counts or fills storage creates its own workspace. */
  readonly workspace: Workspace;
  readonly pages: Pages;
}

/** A server of pages for url deploys. A path without a listener answers 404. */
export interface Pages extends AsyncDisposable {
  readonly url: string;
  readonly byPath: Map<string, RequestListener>;
}

/** The built-in plans, and plans with limits that tests reach quickly. */
const plans = {
  ...defaultPlans,
  one_at_a_time: withPolicy({ maxConcurrentRenderJobs: 1 }),
  small_pdfs: withPolicy({ maxRenderOutputBytes: 2_000 }),
};

function withPolicy(limits: Partial<PlanPolicy>): Plan {
  const plan = defaultPlans.self_hosted as Plan;
  return { ...plan, policy: { ...plan.policy, ...limits } };
}

/** Documents that the worker prints at the same time: enough to print while a suite keeps other jobs rendering. */
const rendererSlots = 4;

async function startApi(): Promise<Api> {
  const folder = await mkdtemp(join(tmpdir(), 'plans-'));
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(plans));
  const pages = await servePages();
  const service = await startService({
    env: {
      PLANS_FILE: plansFile,
      RENDERER_SLOTS: String(rendererSlots),
      EGRESS_ALLOW: new URL(pages.url).host,
      // Little memory, so that a page crashes soon. A long delay, so that tests can look at a scheduled retry.
      RENDERER_MEMORY_MB: '300',
      RENDER_RETRY_DELAYS: '1h',
    },
  });
  const workspace = await service.createWorkspace();
  return {
    service,
    workspace,
    pages,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await pages[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** Gives the calling suite the shared service. */
export const useApi = shareBetweenSuites(startApi);

async function servePages(): Promise<Pages> {
  const byPath = new Map<string, RequestListener>();
  const server = createServer((request, response) => {
    const listener = byPath.get(request.url ?? '');
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    byPath,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface CallInput {
  /** Null sends no key. The default is the key of the target's workspace. */
  readonly apiKey?: string | null;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>> | string;
  /** Text, bytes and streams are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** The API process that a call goes to, and the workspace whose key it sends. */
export interface ApiTarget {
  readonly service: Pick<Service, 'baseUrl'>;
  readonly workspace: Pick<Workspace, 'apiKey'>;
}

/** Starts another API process of the same service, with other environment variables. */
export async function startOtherApi(
  { service, workspace }: Api,
  env: NodeJS.ProcessEnv,
): Promise<ApiTarget & AsyncDisposable> {
  const child = await service.startApi({ PORT: '0', ...env });
  const listening = child.lines.find(({ address }) => address !== undefined);
  return {
    service: { baseUrl: `${listening?.address}/v1` },
    workspace,
    async [Symbol.asyncDispose]() {
      await child.end();
    },
  };
}

/** Gives the calling suite another API process, with other environment variables. */
export const useOtherApi = (api: () => Api, env: () => NodeJS.ProcessEnv): (() => ApiTarget) =>
  startForSuite(() => startOtherApi(api(), env()));

/** Calls an operation. Fails unless the contract declares the answer. */
export async function call(
  api: ApiTarget,
  operation: OperationId,
  input: CallInput = {},
): Promise<Answer> {
  const answer = await send(api, operation, input);
  assertDeclared(operation, answer);
  return answer;
}

async function send(api: ApiTarget, operation: OperationId, input: CallInput): Promise<Answer> {
  const route: Route = routes[operation];
  const { apiKey = api.workspace.apiKey, params = {}, query = {} } = input;
  const path = pathParametersOf(route.path).reduce<string>(
    (filled, name) => filled.replace(`{${name}}`, params[name] ?? `missing-${name}`),
    route.path,
  );
  const search =
    typeof query === 'string'
      ? query
      : new URLSearchParams(
          Object.entries(query).map(([name, value]) => [name, String(value)]),
        ).toString();
  const response = await fetch(`${api.service.baseUrl}${path}${search && `?${search}`}`, {
    method: route.method.toUpperCase(),
    headers: {
      ...(apiKey !== null && { Authorization: `Bearer ${apiKey}` }),
      ...(input.body !== undefined && {
        'Content-Type': route.body === 'bytes' ? 'application/octet-stream' : 'application/json',
      }),
      ...input.headers,
    },
    ...(input.body !== undefined && { body: toBody(input.body), duplex: 'half' }),
  });
  return toAnswer(response);
}

const toBody = (body: unknown): BodyInit =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
    ? (body as BodyInit)
    : JSON.stringify(body);

export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
}

/** Expects the declared success, with a body that fits its schema, or a declared error. Records the answer for the suite "the whole contract". */
function assertDeclared(operation: OperationId, answer: Answer): void {
  const route: Route = routes[operation];
  const { status, schema } = route.success;
  expect(answer.headers.get('X-Request-Id'), 'X-Request-Id').to.match(/^[\w.-]{1,64}$/);
  if (answer.status !== status) {
    assertError(answer);
    expect(errorsOf(route), `${operation} declares its errors`).to.include(codeOf(answer));
    recordAnswer(operation, codeOf(answer));
    return;
  }
  if (schema) {
    expect(answer.headers.get('Content-Type')).to.match(/^application\/json/);
    schema.parse(answer.body);
  } else expect(answer.text).to.equal('');
  recordAnswer(operation, status);
  recordErrorOfJob(answer.body);
}

function recordErrorOfJob(body: unknown): void {
  const { job } = (body ?? {}) as { job?: RenderJobAnswer['job'] };
  if (job?.errorCode) recordJobError(job.errorCode);
}

/** Expects the form that all errors have (REST 7): a code of the catalogue, its status, and a sentence. */
export function assertError(answer: Answer): void {
  expect(answer.headers.get('Content-Type')).to.match(/^application\/json/);
  const { error, message } = errorBodySchema.parse(answer.body);
  expect(errors).to.have.property(error);
  expect(answer.status, answer.text).to.equal(errors[error as HttpErrorCode].status);
  expect(message, 'a sentence').to.match(/\S \S.*\.$/s);
}

const codeOf = ({ body }: Answer): HttpErrorCode => errorBodySchema.parse(body).error as never;

/** Calls an operation that must succeed, and returns the body of the answer. */
export async function expectSuccess<K extends OperationId>(
  api: ApiTarget,
  operation: K,
  input: CallInput = {},
): Promise<CallAnswer<Routes[K]>> {
  const answer = await call(api, operation, input);
  expect(answer.status, answer.text).to.equal(routes[operation].success.status);
  return answer.body as CallAnswer<Routes[K]>;
}

/** Calls an operation that must fail with this code. */
export async function expectRefusal(
  api: ApiTarget,
  operation: OperationId,
  code: HttpErrorCode,
  input: CallInput = {},
): Promise<Answer> {
  const answer = await call(api, operation, input);
  expect(answer.body, answer.text).to.have.property('error', code);
  expect(answer.headers.has('Retry-After'), 'Retry-After').to.equal(sendsRetryAfter(code));
  return answer;
}

/** Polls a job until it has this status, or one that `wanted` accepts. By default until it has ended. */
export function untilStatus(
  api: ApiTarget,
  jobId: string,
  wanted: RenderJobStatus | typeof isTerminal = isTerminal,
  apiKey = api.workspace.apiKey,
): Promise<RenderJobAnswer> {
  const isWanted =
    typeof wanted === 'string' ? (status: RenderJobStatus) => status === wanted : wanted;
  return poll(`job ${jobId}`, async () => {
    const answer = await expectSuccess(api, 'getRenderJob', { params: { jobId }, apiKey });
    return isWanted(answer.job.status) && answer;
  });
}

/** Well-formed ids of things that do not exist. */
export const unusedIds = {
  deployId: 'dpl_01jd2m5k8xe7v9q4t6w3r1n0ab',
  uploadSessionId: 'ups_01jd2m5k8xe7v9q4t6w3r1n0ab',
  jobId: 'job_01jd2m5k8xe7v9q4t6w3r1n0ab',
  sha256: 'a'.repeat(64),
  alias: 'production',
  versionId: 'ver_01jd2m5k8xe7v9q4t6w3r1n0ab',
  pdfId: 'pdf_01jd2m5k8xe7v9q4t6w3r1n0ab',
  linkId: 'lnk_01jd2m5k8xe7v9q4t6w3r1n0ab',
} as const;

export const uniqueSlug = (): string => `deploy-${randomUUID()}`;

/** Workers and relays write these tables at any time, so that a count says nothing about a call. */
const tablesOfWorkers = ['render_outputs', 'pdfs', 'outbox'];

/** Counts the rows of a workspace, by table. A refused call must not change them. */
export async function countRows(
  { service }: Api,
  workspaceId: string,
): Promise<Record<string, number>> {
  const { sql } = service.database;
  const tables = await sql<{ tableName: string }[]>`
    select table_name from information_schema.columns
    where column_name = 'workspace_id' and table_schema = 'public' and table_name <> all(${tablesOfWorkers})
    order by table_name`;
  const counts = tables.map(async ({ tableName }) => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(tableName)} where workspace_id = ${workspaceId}`;
    return [tableName, row?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
