import { z } from 'zod';
import { exampleTime, integerText, timestamp } from '../../fields.ts';
import { defaultLinkLifetimeSeconds, maxLinkLifetimeSeconds } from '../../limits.ts';

/** Signed links to PDFs (REST 2.12). */

const lifetimeDescription = `Lifetime of the link in seconds, ${defaultLinkLifetimeSeconds} by default.`;
export const linkBody = z
  .strictObject({
    expiresInSeconds: z
      .int()
      .min(1)
      .max(maxLinkLifetimeSeconds)
      .optional()
      .meta({ description: lifetimeDescription, examples: [3_600] }),
  })
  .meta({ id: 'LinkBody' });
export const linkQuery = z.strictObject({
  expiresInSeconds: integerText(1, maxLinkLifetimeSeconds)
    .optional()
    .meta({ description: `${lifetimeDescription} A lifetime in the body has precedence.` }),
});

export const accessSchema = z.strictObject({ url: z.url(), expiresAt: timestamp }).meta({
  id: 'SignedAccess',
  description: 'A signed link and the time when it expires.',
  examples: [
    {
      url: 'https://files.example.com/outputs/invoice.pdf?sig=2hZk8mQ',
      expiresAt: exampleTime + defaultLinkLifetimeSeconds * 1_000,
    },
  ],
});

export const accessAnswer = z.strictObject({ access: accessSchema }).meta({ id: 'AccessAnswer' });
