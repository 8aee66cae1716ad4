import { z } from 'zod';
import { maxLinkLifetimeSeconds } from '../../contracts/limits.ts';

/** What a signed link to a PDF is asked for with. */
export const linkInput = z.object({
  disposition: z.enum(['attachment', 'inline']).default('attachment'),
  expiresInSeconds: z.int().min(1).max(maxLinkLifetimeSeconds).optional(),
});
