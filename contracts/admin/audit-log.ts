import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** One change that somebody made. */
export const auditEntrySchema = z.strictObject({
  id: z.string(),
  workspaceId: z.string().optional(),
  /** A user's id, `admin-token`, or `npm start`. */
  actor: z.string(),
  actorName: z.string().optional(),
  action: z.string(),
  target: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  createdAt: timestamp,
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
