import { z } from 'zod';
import { timestamp } from '../fields.ts';
import { memberRoleSchema } from './members.ts';

export const workspaceName = z.string().trim().min(1).max(255);

export const workspaceSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  createdAt: timestamp,
  /** Role of the caller. Absent for an operator who is not a member. */
  role: memberRoleSchema.optional(),
});
export type Workspace = z.infer<typeof workspaceSchema>;
