import { z } from 'zod';
import { timestamp } from '../fields.ts';

/** An API key without its secret. */
export const apiKeySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  createdAt: timestamp,
  /** Who created the key: the id of a user, `admin-token`, or `npm start`. Absent for keys from before this field existed. */
  createdBy: z.string().optional(),
  /** Accurate to a minute. Absent if the key was never used. */
  lastUsedAt: timestamp.optional(),
});
/** A new API key with its secret, which no later answer shows again. */
export const createdApiKeySchema = z.strictObject({ id: z.string(), key: z.string() });

export type ApiKey = z.infer<typeof apiKeySchema>;
