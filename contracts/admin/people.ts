import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** People who have an account, and how they sign in. */

export const personName = z.string().trim().min(1).max(255);
/** Compared without case: stored in lower case. */
export const emailAddress = z.email().max(254).toLowerCase();

/** Shorter ones can be guessed; longer ones would only cost time to hash (NIST SP 800-63B). */
export const minPasswordLength = 10;
export const maxPasswordLength = 128;
export const password = z.string().min(minPasswordLength).max(maxPasswordLength);

/** Somebody who has an account, as operators see them. */
export const personSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  operator: z.boolean(),
  createdAt: timestamp,
});
export type PersonSummary = z.infer<typeof personSchema>;

/** The ways to sign in that the sign-in page offers. */
export const signInMethodsSchema = z.strictObject({
  password: z.literal(true),
  identityProvider: z.boolean(),
});

/** A link that signs a user in once. */
export const signInLinkSchema = z.strictObject({ link: z.url(), expiresAt: timestamp });

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
