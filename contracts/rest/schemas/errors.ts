import { z } from 'zod';

export const errorBodySchema = z
  .strictObject({
    error: z.string().meta({ description: 'machine-readable code' }),
    message: z.string().meta({ description: 'what went wrong and what to do' }),
  })
  .meta({ id: 'Error', description: 'The body of every error.' });
