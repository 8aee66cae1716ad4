import { z } from 'zod';

export const errorBodySchema = z
  .strictObject({
    error: z.string().meta({ description: 'Machine-readable code.' }),
    message: z.string().meta({ description: 'What went wrong and what to do.' }),
  })
  .meta({ id: 'Error', description: 'The body of every error.' });
