import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** An owner also has keys, members, webhooks and the plan; a member reads and does the daily work. */
export const memberRoleSchema = z.enum(['owner', 'member']);
export type MemberRole = z.infer<typeof memberRoleSchema>;

/** A person who belongs to a workspace. */
export const memberSchema = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  createdAt: timestamp,
});
export type Member = z.infer<typeof memberSchema>;
