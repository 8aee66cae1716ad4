import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** An entry of the audit log: a change, or the reading of a webhook secret. */
export const auditEntrySchema = z.strictObject({
  id: z.string(),
  /** Absent if the change belongs to no workspace. */
  workspaceId: z.string().optional(),
  /** Who did it: the id of a user, or `admin-token`. */
  actor: z.string(),
  /** Absent if the actor is not a user. */
  actorName: z.string().optional(),
  /** Name of the procedure, such as `apiKeys.create`, or `account.changePassword`. */
  action: z.string(),
  /** Id or name of the changed object. */
  target: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  createdAt: timestamp,
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
