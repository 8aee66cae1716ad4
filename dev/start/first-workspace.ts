import { signInLink } from '../../contracts/processes/web-addresses.ts';
import { openDatabase, type Sql } from '../../store/database/connection.ts';
import { ensureFirstOwner } from '../../store/people/first-owner.ts';
import { createWorkspaceApiKey, findWorkspaceOfKey } from '../../store/workspaces/api-keys.ts';
import { createWorkspace } from '../../store/workspaces/workspaces.ts';

const plan = 'self_hosted';

interface FirstWorkspace {
  readonly apiKey: string;
  /** Signs in the operator with the lowest id, who is a member of the workspace. It works once, within 15 minutes. */
  readonly signInLink: string;
}

/**
 * Returns an API key and a new sign-in link of a workspace. It is the workspace of `env.DRS_API_KEY`, the key of last time. If the
 * database does not know that key, a workspace and a key are created.
 */
export async function ensureFirstWorkspace(
  env: Record<string, string>,
  apiUrl: string,
): Promise<FirstWorkspace> {
  const sql = openDatabase(env.DATABASE_URL ?? '', 1);
  try {
    const { workspaceId, apiKey } = await findOrCreateWorkspace(sql, env.DRS_API_KEY);
    const token = await ensureFirstOwner(sql, { workspaceId, now: Date.now() });
    return { apiKey, signInLink: signInLink(apiUrl, token) };
  } finally {
    await sql.end();
  }
}

async function findOrCreateWorkspace(sql: Sql, knownKey: string | undefined) {
  const known = knownKey && (await findWorkspaceOfKey(sql, knownKey));
  if (known) return { workspaceId: known.id, apiKey: knownKey };
  const now = Date.now();
  const workspaceId = await createWorkspace(sql, { name: 'First workspace', plan, now });
  const values = { workspaceId, name: 'npm start', createdBy: 'npm start', now };
  return { workspaceId, apiKey: (await createWorkspaceApiKey(sql, values)).key };
}
