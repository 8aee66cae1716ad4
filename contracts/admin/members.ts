import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** A member reads and does the daily work. An owner also manages keys, members, webhooks and the plan. */
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
