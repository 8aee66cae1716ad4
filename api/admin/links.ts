import { z } from 'zod';
import { maxLinkLifetimeSeconds } from '../../contracts/limits.ts';

/** The input of the procedures that create a signed link to a PDF. */
export const linkInput = z.object({
  disposition: z.enum(['attachment', 'inline']).default('attachment'),
  expiresInSeconds: z.int().min(1).max(maxLinkLifetimeSeconds).optional(),
});
