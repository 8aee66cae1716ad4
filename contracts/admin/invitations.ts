import { z } from 'zod';
import { timestamp } from '../fields.ts';
import { memberRoleSchema } from './members.ts';

/** An open invitation to a workspace: neither accepted, revoked nor expired. */
export const invitationSchema = z.strictObject({
  id: z.string(),
  workspaceId: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  /** The id of a user, or `admin-token`. */
  invitedBy: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
});
export type Invitation = z.infer<typeof invitationSchema>;

/** A new invitation with its link, which no later answer shows again. */
export const createdInvitationSchema = z.strictObject({
  invitation: invitationSchema,
  link: z.url(),
});

/** The facts that an invitation link shows before the invitation is accepted. */
export const invitationPreviewSchema = z.strictObject({
  workspaceName: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  expiresAt: timestamp,
  /** True if the address has an account: its user signs in, then accepts. Otherwise name and password create an account. */
  hasAccount: z.boolean(),
});
export type InvitationPreview = z.infer<typeof invitationPreviewSchema>;
