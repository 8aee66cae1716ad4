import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** Users and their sign-in. */

export const personName = z.string().trim().min(1).max(255);
/** Converted to lower case, so that case does not matter. */
export const emailAddress = z.email().max(254).toLowerCase();

/** A shorter password can be guessed. A longer one than the maximum only costs time to hash (NIST SP 800-63B). */
export const minPasswordLength = 10;
export const maxPasswordLength = 128;
export const password = z.string().min(minPasswordLength).max(maxPasswordLength);

/** A user in the list for operators. */
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
  /** False if the user signed in by a one-time link and must still choose an e-mail address and a password. */
  complete: z.boolean(),
});
export type Account = z.infer<typeof accountSchema>;
