import { randomBytes } from 'node:crypto';
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import type { AdminRouter } from '../../api/admin/router.ts';
import { adminPath } from '../../contracts/pages.ts';
import { type Service, startService } from '../support/service.ts';

export type AdminClient = ReturnType<typeof createAdminClient>;

/** What every suite here works with: one service for all of them, without workers: nothing is printed here. */
export interface Admin extends AsyncDisposable {
  readonly service: Service;
  readonly origin: string;
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
  const adminToken = randomBytes(32).toString('hex');
  const service = await startService({ workers: 0, env: { ADMIN_TOKEN: adminToken } });
  const { origin } = new URL(service.baseUrl);
  return {
    service,
    origin,
    adminToken,
    tool: createAdminClient(origin, { Authorization: `Bearer ${adminToken}` }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

export const createAdminClient = (origin: string, headers: Record<string, string>) =>
  createTRPCClient<AdminRouter>({ links: [httpLink({ url: `${origin}${adminPath}`, headers })] });

/** The code of the catalogue that a call is refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof TRPCClientError && error.data) return String(error.data.error);
    throw error;
  }
  throw new Error('It was done.');
}
