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
import { observe, observeFailedJob } from './observed.ts';

/** What every suite here works with: one service for all of them, and pages on a loopback address that it may reach. */
export interface Api extends AsyncDisposable {
  readonly service: Service;
  /** Unlimited; a suite that counts or fills takes a workspace of its own. */
  readonly workspace: Workspace;
  readonly pages: Pages;
}

/** Pages for url deploys, by path. */
export interface Pages extends AsyncDisposable {
  readonly url: string;
  readonly byPath: Map<string, RequestListener>;
}

let users = 0;
let starting: Promise<Api> | undefined;

/** Starts the service before the first suite that uses it and stops it after the last. */
export function useApi(): () => Api {
  let api: Api | undefined;
  users++;
  before(async function () {
    this.timeout(120_000);
    starting ??= startApi();
    api = await starting;
  });
  after(async () => {
    if (--users === 0) await api?.[Symbol.asyncDispose]();
  });
  return () => {
    if (!api) throw new Error('The service is there from the first hook on.');
    return api;
  };
}

/** Plans whose limits are soon met, beside the built-in ones. */
const plans = {
  ...defaultPlans,
  one_at_a_time: withPolicy({ maxConcurrentRenderJobs: 1 }),
  small_pdfs: withPolicy({ maxRenderOutputBytes: 2_000 }),
};

function withPolicy(limits: Partial<PlanPolicy>): Plan {
  const plan = defaultPlans.self_hosted as Plan;
  return { ...plan, policy: { ...plan.policy, ...limits } };
}

/** Enough for jobs that a suite holds at work while others are printed. */
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
      // Little memory, so that a page can crash soon; a long delay, so that its retry can be looked at.
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
  /** Null sends none. */
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

/** Where a call goes, and whose key it carries unless its input says otherwise. */
export interface Door {
  readonly service: Pick<Service, 'baseUrl'>;
  readonly workspace: Pick<Workspace, 'apiKey'>;
}

/** Another API process of the same service, configured otherwise. */
export async function openDoor(
  { service, workspace }: Api,
  env: NodeJS.ProcessEnv,
): Promise<Door & AsyncDisposable> {
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

/** The same in a suite: it is open from the first hook on, until the suite ends. */
export function useDoor(api: () => Api, env: () => NodeJS.ProcessEnv): () => Door {
  let door: (Door & AsyncDisposable) | undefined;
  before(async () => {
    door = await openDoor(api(), env());
  });
  after(() => door?.[Symbol.asyncDispose]());
  return () => {
    if (!door) throw new Error('The door is open from the first hook on.');
    return door;
  };
}

/** Calls an operation; whatever it answers must be what the contract declares of it. */
export async function call(
  api: Door,
  operation: OperationId,
  input: CallInput = {},
): Promise<Answer> {
  const answer = await send(api, operation, input);
  assertDeclared(operation, answer);
  return answer;
}

async function send(api: Door, operation: OperationId, input: CallInput): Promise<Answer> {
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

/** The answer is the declared success, every field of it by its schema, or a declared error in the one form. */
function assertDeclared(operation: OperationId, answer: Answer): void {
  const route: Route = routes[operation];
  const { status, schema } = route.success;
  expect(answer.headers.get('X-Request-Id'), 'X-Request-Id').to.match(/^[\w.-]{1,64}$/);
  if (answer.status !== status) {
    assertError(answer);
    expect(errorsOf(route), `${operation} declares its errors`).to.include(codeOf(answer));
    observe(operation, codeOf(answer));
    return;
  }
  if (schema) {
    expect(answer.headers.get('Content-Type')).to.match(/^application\/json/);
    schema.parse(answer.body);
  } else expect(answer.text).to.equal('');
  observe(operation, status);
  observeJobError(answer.body);
}

function observeJobError(body: unknown): void {
  const { job } = (body ?? {}) as { job?: RenderJobAnswer['job'] };
  if (job?.errorCode) observeFailedJob(job.errorCode);
}

/** The one form of an error (REST 7): a code of the catalogue with its status, and a sentence. */
export function assertError(answer: Answer): void {
  expect(answer.headers.get('Content-Type')).to.match(/^application\/json/);
  const { error, message } = errorBodySchema.parse(answer.body);
  expect(errors).to.have.property(error);
  expect(answer.status, answer.text).to.equal(errors[error as HttpErrorCode].status);
  expect(message, 'a sentence').to.match(/\S \S.*\.$/s);
}

const codeOf = ({ body }: Answer): HttpErrorCode => errorBodySchema.parse(body).error as never;

/** Calls an operation that must succeed. */
export async function succeed<K extends OperationId>(
  api: Door,
  operation: K,
  input: CallInput = {},
): Promise<CallAnswer<Routes[K]>> {
  const answer = await call(api, operation, input);
  expect(answer.status, answer.text).to.equal(routes[operation].success.status);
  return answer.body as CallAnswer<Routes[K]>;
}

/** Calls an operation that must be refused with this code. */
export async function refuse(
  api: Door,
  operation: OperationId,
  code: HttpErrorCode,
  input: CallInput = {},
): Promise<Answer> {
  const answer = await call(api, operation, input);
  expect(answer.body, answer.text).to.have.property('error', code);
  expect(answer.headers.has('Retry-After'), 'Retry-After').to.equal(sendsRetryAfter(code));
  return answer;
}

/** Polls a job until it has one of these states; by default until it has ended. */
export function untilStatus(
  api: Door,
  jobId: string,
  wanted: RenderJobStatus | typeof isTerminal = isTerminal,
  apiKey = api.workspace.apiKey,
): Promise<RenderJobAnswer> {
  const isWanted =
    typeof wanted === 'string' ? (status: RenderJobStatus) => status === wanted : wanted;
  return poll(`job ${jobId}`, async () => {
    const answer = await succeed(api, 'getRenderJob', { params: { jobId }, apiKey });
    return isWanted(answer.job.status) && answer;
  });
}

/** An id of the right form that nothing has. */
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

/** Filled when a job ends, emptied when Temporal has heard, which may be at any time: not what a call of the client's leaves. */
const movedByWorkers = ['render_outputs', 'pdfs', 'outbox'];

/** How many rows a workspace has, by table: what a refused call must leave as it is. */
export async function countRows(
  { service }: Api,
  workspaceId: string,
): Promise<Record<string, number>> {
  const { sql } = service.database;
  const tables = await sql<{ tableName: string }[]>`
    select table_name from information_schema.columns
    where column_name = 'workspace_id' and table_schema = 'public' and table_name <> all(${movedByWorkers})
    order by table_name`;
  const counts = tables.map(async ({ tableName }) => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(tableName)} where workspace_id = ${workspaceId}`;
    return [tableName, row?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
