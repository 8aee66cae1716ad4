import { z } from 'zod';
import { maxLinkLifetimeSeconds } from '../../contracts/limits.ts';

/** The fields that the inputs of all procedures for signed links share. Each procedure adds the id of the job or the PDF. */
export const linkInput = z.object({
  disposition: z.enum(['attachment', 'inline']).default('attachment'),
  expiresInSeconds: z.int().min(1).max(maxLinkLifetimeSeconds).optional(),
});
