import { z } from 'zod';
import { timestamp } from '../fields.ts';

/**
 * A member works with deploys, jobs and PDFs. An owner also manages members, API keys, webhooks, the name and the billing address of
 * the workspace, and reads its audit log.
 */
export const memberRoleSchema = z.enum(['owner', 'member']);
export type MemberRole = z.infer<typeof memberRoleSchema>;

/** A user who belongs to a workspace. */
export const memberSchema = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  createdAt: timestamp,
});
export type Member = z.infer<typeof memberSchema>;
