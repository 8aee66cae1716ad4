import { z } from 'zod';
import { planPolicySchema } from '../plans.ts';
import { timestamp } from './common.ts';

/** Workspaces, the people in them, and what they may do: shapes of the admin router. */

/** An owner also has keys, members, webhooks and the plan; a member reads and does the daily work. */
export const memberRoleSchema = z.enum(['owner', 'member']);
export type MemberRole = z.infer<typeof memberRoleSchema>;

export const workspaceName = z.string().trim().min(1).max(255);
export const personName = z.string().trim().min(1).max(255);
/** Compared without case: stored in lower case. */
export const emailAddress = z.email().max(254).toLowerCase();

/** Shorter ones can be guessed; longer ones would only cost time to hash (NIST SP 800-63B). */
export const minPasswordLength = 10;
export const maxPasswordLength = 128;
export const password = z.string().min(minPasswordLength).max(maxPasswordLength);

export const workspaceSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  createdAt: timestamp,
  /** Of the one who asks; absent for an operator who is no member. */
  role: memberRoleSchema.optional(),
});
export type Workspace = z.infer<typeof workspaceSchema>;

export const planSummarySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  currency: z.string(),
  interval: z.literal('month'),
  monthlyPriceCents: z.int().nonnegative(),
  maxMembers: z.int().nonnegative(),
  policy: planPolicySchema,
});

export const memberSchema = z.strictObject({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  createdAt: timestamp,
});
export type Member = z.infer<typeof memberSchema>;

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

/** Somebody who has an account, as operators see them. */
export const personSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  operator: z.boolean(),
  createdAt: timestamp,
});
export type PersonSummary = z.infer<typeof personSchema>;

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

export const apiKeySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  createdAt: timestamp,
  /** A user's id, or what else made it; absent for keys from before that was written down. */
  createdBy: z.string().optional(),
  /** To the minute; absent when it was never used. */
  lastUsedAt: timestamp.optional(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

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

export const accountSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  operator: z.boolean(),
  hasPassword: z.boolean(),
  /** False: came by a one-time link, and has still to choose an address and a password to sign in by. */
  complete: z.boolean(),
});
export type Account = z.infer<typeof accountSchema>;

export const billSettingsSchema = z.strictObject({
  provider: z.literal('none'),
  plan: z.string(),
  currency: z.string(),
  interval: z.literal('month'),
  monthlyPriceCents: z.int().nonnegative(),
  billingEmail: z.string().optional(),
});
