import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** An entry of the audit log: a change, or the reading of a webhook secret. */
export const auditEntrySchema = z.strictObject({
  id: z.string(),
  workspaceId: z.string().optional(),
  /** Who did it: the id of a user, `admin-token`, or `npm start`. */
  actor: z.string(),
  actorName: z.string().optional(),
  action: z.string(),
  target: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  createdAt: timestamp,
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
