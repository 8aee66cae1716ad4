import { z } from 'zod';
import { businessKey, timestamp } from '../fields.ts';

/** Filter for managed PDFs. A PDF must match all fields that are set. */
export const pdfFilter = z.object({
  deployId: z.string().optional(),
  businessKey: businessKey.optional(),
  createdAfter: timestamp.optional(),
  createdBefore: timestamp.optional(),
});
