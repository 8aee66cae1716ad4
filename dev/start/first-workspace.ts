import { signInLink } from '../../contracts/processes/web-addresses.ts';
import { openDatabase, type Sql } from '../../store/database/connection.ts';
import { signInFirstOwner } from '../../store/people/first-owner.ts';
import { createWorkspaceApiKey, findWorkspaceOfKey } from '../../store/workspaces/api-keys.ts';
import { createWorkspace } from '../../store/workspaces/workspaces.ts';

const PLAN = 'self_hosted';

interface FirstWorkspace {
  apiKey: string;
  /** Signs its owner in, once, within minutes. */
  signInLink: string;
}

/** The workspace and key that `npm start` works with: those of last time, if the database still knows them, else new ones. */
export async function ensureFirstWorkspace(
  env: Record<string, string>,
  apiUrl: string,
): Promise<FirstWorkspace> {
  const sql = openDatabase(env.DATABASE_URL ?? '', 1);
  try {
    const { workspaceId, apiKey } = await findOrMakeWorkspace(sql, env.DRS_API_KEY);
    const token = await signInFirstOwner(sql, { workspaceId, now: Date.now() });
    return { apiKey, signInLink: signInLink(apiUrl, token) };
  } finally {
    await sql.end();
  }
}

async function findOrMakeWorkspace(sql: Sql, knownKey: string | undefined) {
  const known = knownKey && (await findWorkspaceOfKey(sql, knownKey));
  if (known) return { workspaceId: known.id, apiKey: knownKey };
  const now = Date.now();
  const workspaceId = await createWorkspace(sql, { name: 'First workspace', plan: PLAN, now });
  const given = { workspaceId, name: 'npm start', createdBy: 'npm start', now };
  return { workspaceId, apiKey: (await createWorkspaceApiKey(sql, given)).key };
}
