import { randomBytes, randomUUID } from 'node:crypto';
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import type { AdminRouter } from '../../api/admin/router.ts';
import { adminPath, signInLink, signInPath } from '../../contracts/processes/web-addresses.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { createSignInLink } from '../../store/people/sign-in-links.ts';
import { createUser } from '../../store/people/users.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';
import { shareBetweenSuites } from '../support/suite-resources.ts';

export type AdminClient = ReturnType<typeof createAdminClient>;

/** The service that all suites of this folder share. */
export interface Admin extends AsyncDisposable {
  readonly service: Service;
  readonly origin: string;
  /** A receiver of webhooks on loopback; the service may send to it. */
  readonly receiver: Receiver;
  readonly adminToken: string;
  /** A client with the admin token, as an internal tool has. */
  readonly tool: AdminClient;
}

/** Gives the calling suite the shared service. */
export const useAdmin = shareBetweenSuites(startAdmin);

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

/** Calls a procedure by plain HTTP, without the tRPC client. */
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

/** Error codes that calls of the suites of this folder got. `whole-router.test.ts` checks that none is missing. */
export const refusalCodes = new Set<string>();

/** Returns the error code of a call that must fail. Throws if the call succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof TRPCClientError && error.data)) throw error;
    const code = String(error.data.error);
    refusalCodes.add(code);
    return code;
  }
  throw new Error('The call was not refused.');
}

/** Reads an answer of the router. Returns its error code, or `done` if it has no error. */
export async function answerOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error?: { data: { error: string } } };
  if (!body.error) return 'done';
  refusalCodes.add(body.error.data.error);
  return body.error.data.error;
}

/** Returns the error code of a sign-in: from the address of a redirect (`done` if it has none), else from the body. */
export async function signInRefusalOf(response: Response): Promise<string> {
  const location = response.headers.get('Location');
  const code = location
    ? (new URL(location, response.url).searchParams.get('error') ?? 'done')
    : ((await response.json()) as { code: string }).code;
  refusalCodes.add(code);
  return code;
}

/** Posts to a sign-in route, as the dashboard does. */
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

/** The cookies that an answer sets, as a `Cookie` header. */
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

/** Creates a user who has signed in with a one-time link. */
export async function createPerson(admin: Admin, { operator = false } = {}): Promise<TestPerson> {
  const { sql } = admin.service.database;
  const email = `${randomUUID()}@example.com`;
  const id = await inTransaction(sql, (tx) => createUser(tx, { name: 'Person', email, operator }));
  const token = await createSignInLink(sql, { userId: id, now: Date.now() });
  await resetSignInRateLimit(admin);
  const cookie = cookieOf(await fetch(signInLink(admin.origin, token), { redirect: 'manual' }));
  return { id, email, cookie, client: createAdminClient(admin.origin, { cookie }) };
}

/** Resets the rate limit of the sign-in. It counts requests by IP address, and all suites have the same address. */
export const resetSignInRateLimit = async ({ service }: Admin): Promise<void> => {
  await service.database.sql`delete from sign_in_rate_limits`;
};
