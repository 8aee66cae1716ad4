import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** A change that a user or a tool made. */
export const auditEntrySchema = z.strictObject({
  id: z.string(),
  workspaceId: z.string().optional(),
  /** Id of the user, `admin-token`, or `npm start`. */
  actor: z.string(),
  actorName: z.string().optional(),
  action: z.string(),
  target: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  createdAt: timestamp,
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
