import { newId } from '../contracts/ids.ts';
import type { Plan, PlanCatalogue, PlanPolicy } from '../contracts/plans.ts';
import type { Queryable } from './database.ts';
import { createApiKey, hashApiKey } from './secrets.ts';

/** The workspace that an API key is bound to (REST 5). */
export interface Caller {
  readonly workspaceId: string;
  readonly policy: PlanPolicy;
}

export async function createWorkspace(
  sql: Queryable,
  input: { name: string; plan: string; now: number },
): Promise<string> {
  const id = newId('workspace');
  await sql`
    insert into workspaces (id, name, plan, created_at) values (${id}, ${input.name}, ${input.plan}, ${input.now})`;
  return id;
}

/** Creates an API key and returns it; it cannot be shown again. */
export async function createWorkspaceApiKey(
  sql: Queryable,
  input: { workspaceId: string; name: string; now: number },
): Promise<string> {
  const key = createApiKey();
  await sql`
    insert into api_keys (id, workspace_id, name, key_hash, created_at)
    values (${newId('apiKey')}, ${input.workspaceId}, ${input.name}, ${hashApiKey(key)}, ${input.now})`;
  return key;
}

/** The workspace of a key; undefined for a key that is unknown or revoked. Read each time: a revoked key is dead at once. */
export async function findWorkspaceOfKey(
  sql: Queryable,
  apiKey: string,
): Promise<{ id: string; plan: string } | undefined> {
  const [row] = await sql<{ id: string; plan: string }[]>`
    select w.id, w.plan from api_keys k join workspaces w on w.id = k.workspace_id
    where k.key_hash = ${hashApiKey(apiKey)} and k.revoked_at is null`;
  return row;
}

/** Who calls with this key (REST 5), and under which plan. */
export async function findCaller(
  sql: Queryable,
  plans: PlanCatalogue,
  apiKey: string,
): Promise<Caller | undefined> {
  const workspace = await findWorkspaceOfKey(sql, apiKey);
  return workspace && { workspaceId: workspace.id, policy: policyOf(plans, workspace.plan) };
}

/** @throws Error when a workspace has a plan that the catalogue lacks: the operator's `PLANS_FILE` is incomplete. */
export function planOf(plans: PlanCatalogue, plan: string): Plan {
  const found = plans[plan];
  if (!found)
    throw new Error(
      `No plan "${plan}" in the catalogue, but a workspace has it: add it to PLANS_FILE.`,
    );
  return found;
}

/** Limits of a plan, by its key. */
export const policyOf = (plans: PlanCatalogue, plan: string): PlanPolicy =>
  planOf(plans, plan).policy;
