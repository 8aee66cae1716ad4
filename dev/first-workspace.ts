import { openDatabase } from '../store/database.ts';
import { createWorkspace, createWorkspaceApiKey, findWorkspaceOfKey } from '../store/workspaces.ts';

const PLAN = 'self_hosted';

/** The workspace and key that `npm start` works with: those of last time, if the database still knows them, else new ones. */
export async function ensureFirstWorkspace(
  env: Record<string, string>,
): Promise<{ workspaceId: string; apiKey: string }> {
  const sql = openDatabase(env.DATABASE_URL ?? '', 1);
  try {
    const known = env.DRS_API_KEY && (await findWorkspaceOfKey(sql, env.DRS_API_KEY));
    if (known && env.DRS_API_KEY) return { workspaceId: known.id, apiKey: env.DRS_API_KEY };
    const now = Date.now();
    const workspaceId = await createWorkspace(sql, { name: 'First workspace', plan: PLAN, now });
    const apiKey = await createWorkspaceApiKey(sql, { workspaceId, name: 'npm start', now });
    return { workspaceId, apiKey };
  } finally {
    await sql.end();
  }
}
