import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** An API key without its secret. */
export const apiKeySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  createdAt: timestamp,
  /** A user's id, or what else made it; absent for keys from before that was written down. */
  createdBy: z.string().optional(),
  /** To the minute; absent when it was never used. */
  lastUsedAt: timestamp.optional(),
});
/** A new API key with its secret, which no later answer shows again. */
export const createdApiKeySchema = z.strictObject({ id: z.string(), key: z.string() });

export type ApiKey = z.infer<typeof apiKeySchema>;
