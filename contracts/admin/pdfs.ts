import { z } from 'zod';
import { businessKey, timestamp } from '../fields.ts';

/** Which managed PDFs; what is left out does not narrow. */
export const pdfFilter = z.object({
  deployId: z.string().optional(),
  businessKey: businessKey.optional(),
  createdAfter: timestamp.optional(),
  createdBefore: timestamp.optional(),
});
