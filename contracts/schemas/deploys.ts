import { z } from 'zod';
import { nextCursor, timestamp } from './common.ts';

export const deployTypeSchema = z.enum(['managed', 'url']);
export type DeployType = z.infer<typeof deployTypeSchema>;

export const slug = z
  .string()
  .regex(/^[a-z0-9-]{1,63}$/, '1 to 63 of the characters a-z, 0-9 and -')
  .meta({ example: 'invoice' });
export const deployName = z.string().min(1).max(255).meta({ example: 'Invoice' });
export const targetUrl = z
  .url({ protocol: /^https?$/, error: 'an absolute http or https URL' })
  .max(2048);

/** REST 2.1 */
export const deploySchema = z
  .strictObject({
    id: z.string(),
    workspaceId: z.string(),
    slug,
    name: deployName,
    type: deployTypeSchema,
    targetUrl: targetUrl.optional(),
    createdAt: timestamp,
  })
  .meta({ id: 'Deploy' });

export const deploySummarySchema = deploySchema
  .pick({ id: true, slug: true, name: true, type: true, createdAt: true })
  .meta({ id: 'DeploySummary' });

/** REST 4.1: create. */
export const createDeployBody = z
  .strictObject({
    slug,
    name: deployName,
    type: deployTypeSchema.default('managed'),
    targetUrl: targetUrl.optional(),
  })
  .refine((body) => body.type === 'managed' || body.targetUrl, {
    path: ['targetUrl'],
    message: 'a deploy of type url needs a targetUrl',
  })
  .refine((body) => body.type === 'url' || !body.targetUrl, {
    path: ['targetUrl'],
    message: 'only a deploy of type url has a targetUrl',
  });

/** REST 4.1: update. A body without any field changes nothing. */
export const updateDeployBody = z.strictObject({
  name: deployName.optional(),
  slug: slug.optional(),
  targetUrl: targetUrl.optional(),
});

export const deployAnswer = z.strictObject({ deploy: deploySchema });
export const deployListAnswer = z.strictObject({ items: z.array(deploySummarySchema), nextCursor });

export type Deploy = z.infer<typeof deploySchema>;
export type DeploySummary = z.infer<typeof deploySummarySchema>;
