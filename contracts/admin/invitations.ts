import { z } from 'zod';
import { timestamp } from '../fields.ts';
import { memberRoleSchema } from './members.ts';

/** An invitation to a workspace that was neither accepted nor revoked. */
export const invitationSchema = z.strictObject({
  id: z.string(),
  workspaceId: z.string(),
  email: z.string(),
  role: memberRoleSchema,
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

/** What whoever holds the link of an invitation sees of it before accepting. */
export const invitationPreviewSchema = z.strictObject({
  workspaceName: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  expiresAt: timestamp,
  /** There is an account with this address: sign in, then accept. Else a name and a password make one. */
  hasAccount: z.boolean(),
});
export type InvitationPreview = z.infer<typeof invitationPreviewSchema>;
