import { randomBytes, randomUUID } from 'node:crypto';
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import type { AdminRouter } from '../../api/admin/router.ts';
import { adminPath, signInLink, signInPath } from '../../contracts/processes/web-addresses.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { createSignInLink } from '../../store/people/sign-in-links.ts';
import { createUser } from '../../store/people/users.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';

export type AdminClient = ReturnType<typeof createAdminClient>;

/** What every suite here works with: one service for all of them. */
export interface Admin extends AsyncDisposable {
  readonly service: Service;
  readonly origin: string;
  /** Of webhooks, on loopback, which the service may send to. */
  readonly receiver: Receiver;
  readonly adminToken: string;
  /** As an internal tool: by the admin token. */
  readonly tool: AdminClient;
}

let users = 0;
let starting: Promise<Admin> | undefined;

/** Starts the service before the first suite that uses it and stops it after the last. */
export function useAdmin(): () => Admin {
  let admin: Admin | undefined;
  users++;
  before(async function () {
    this.timeout(120_000);
    starting ??= startAdmin();
    admin = await starting;
  });
  after(async () => {
    if (--users === 0) await admin?.[Symbol.asyncDispose]();
  });
  return () => {
    if (!admin) throw new Error('The service is there from the first hook on.');
    return admin;
  };
}

async function startAdmin(): Promise<Admin> {
  await using starting = new AsyncDisposableStack();
  const adminToken = randomBytes(32).toString('hex');
  const receiver = starting.use(await startReceiver());
  const service = starting.use(
    await startService({
      env: {
        ADMIN_TOKEN: adminToken,
        TEMPORAL_UI_URL: 'http://temporal.example:8233/',
        EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
      },
    }),
  );
  const { origin } = new URL(service.baseUrl);
  const all = starting.move();
  return {
    service,
    origin,
    receiver,
    adminToken,
    tool: createAdminClient(origin, { Authorization: `Bearer ${adminToken}` }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

export const createAdminClient = (origin: string, headers: Record<string, string>) =>
  createTRPCClient<AdminRouter>({ links: [httpLink({ url: `${origin}${adminPath}`, headers })] });

/** Calls a procedure as a program would that knows only HTTP. */
export const callProcedure = (
  { origin }: Admin,
  type: 'query' | 'mutation',
  path: string,
  input: unknown,
  headers: Record<string, string>,
): Promise<Response> => {
  const text = JSON.stringify(input);
  const url = `${origin}${adminPath}/${path}`;
  return type === 'query'
    ? fetch(`${url}?input=${encodeURIComponent(text)}`, { headers })
    : fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: text,
      });
};

/** Codes that the router was seen to refuse with in this process: `whole-router.test.ts` holds that none is missing. */
export const refusedWith = new Set<string>();

/** The code of the catalogue that a call is refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof TRPCClientError && error.data)) throw error;
    const code = String(error.data.error);
    refusedWith.add(code);
    return code;
  }
  throw new Error('It was done.');
}

/** `done`, or the code of the refusal. */
export async function answerOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error?: { data: { error: string } } };
  if (!body.error) return 'done';
  refusedWith.add(body.error.data.error);
  return body.error.data.error;
}

/** The code with which what signs in refuses: in its answer, or in the address that it sends the browser to. */
export async function signInRefusalOf(response: Response): Promise<string> {
  const location = response.headers.get('Location');
  const code = location
    ? (new URL(location, response.url).searchParams.get('error') ?? 'done')
    : ((await response.json()) as { code: string }).code;
  refusedWith.add(code);
  return code;
}

/** Calls what signs in, as a page of the dashboard does. */
export const postSignIn = (
  { origin }: Pick<Admin, 'origin'>,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${origin}${signInPath}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin, ...headers },
    body: JSON.stringify(body),
  });

/** The cookies that an answer sets, as the browser sends them back. */
export const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

export interface TestPerson {
  readonly id: string;
  readonly email: string;
  readonly cookie: string;
  readonly client: AdminClient;
}

/** A person who has signed in by a one-time link. */
export async function createPerson(admin: Admin, { operator = false } = {}): Promise<TestPerson> {
  const { sql } = admin.service.database;
  const email = `${randomUUID()}@example.com`;
  const id = await inTransaction(sql, (tx) => createUser(tx, { name: 'Person', email, operator }));
  const token = await createSignInLink(sql, { userId: id, now: Date.now() });
  await forgetTries(admin);
  const cookie = cookieOf(await fetch(signInLink(admin.origin, token), { redirect: 'manual' }));
  return { id, email, cookie, client: createAdminClient(admin.origin, { cookie }) };
}

/** Makes this machine's tries to sign in uncounted: all suites have one address. */
export const forgetTries = async ({ service }: Admin): Promise<void> => {
  await service.database.sql`delete from sign_in_rate_limits`;
};
