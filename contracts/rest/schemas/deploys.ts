import { z } from 'zod';
import { exampleTime, timestamp } from '../../fields.ts';
import { exampleId } from '../../ids.ts';
import { pageOf } from '../../pagination.ts';

export const deployTypeSchema = z.enum(['managed', 'url']).meta({
  description: '`managed` prints its committed versions, `url` prints its `targetUrl`.',
});
export type DeployType = z.infer<typeof deployTypeSchema>;

export const slug = z
  .string()
  .regex(/^[a-z0-9-]{1,63}$/, '1 to 63 of the characters a-z, 0-9 and -')
  .meta({ description: 'Unique in the workspace.', examples: ['invoice'] });
export const deployName = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'Name for people.', examples: ['Invoice'] });
export const targetUrl = z
  .url({ protocol: /^https?$/, error: 'an absolute http or https URL' })
  .max(2048)
  .meta({
    description: 'The page that a deploy of type `url` prints.',
    // `format: uri` alone would allow other schemes.
    override: { pattern: '^[hH][tT][tT][pP][sS]?://' },
  });

/** Fields that all examples of a deploy share. */
const exampleDeploy = {
  id: exampleId('deploy'),
  slug: 'invoice',
  name: 'Invoice',
  type: 'managed',
  createdAt: exampleTime,
};

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
  .meta({
    id: 'Deploy',
    description: 'A named document of a workspace.',
    examples: [{ ...exampleDeploy, workspaceId: exampleId('workspace') }],
  });

export const deploySummarySchema = deploySchema
  .pick({ id: true, slug: true, name: true, type: true, createdAt: true })
  .meta({
    id: 'DeploySummary',
    description: 'A deploy in a list.',
    examples: [exampleDeploy],
  });

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
  })
  .meta({
    id: 'CreateDeployBody',
    examples: [{ slug: 'invoice', name: 'Invoice', type: 'managed' }],
    override: {
      if: { properties: { type: { const: 'url' } }, required: ['type'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['targetUrl'] },
      else: { not: { required: ['targetUrl'] } },
    },
  });

/** REST 4.1: update. A body without any field changes nothing. */
export const updateDeployBody = z
  .strictObject({
    name: deployName.optional(),
    slug: slug.optional(),
    targetUrl: targetUrl.optional(),
  })
  .meta({ id: 'UpdateDeployBody' });

export const deployAnswer = z.strictObject({ deploy: deploySchema }).meta({ id: 'DeployAnswer' });
export const deployListAnswer = pageOf(deploySummarySchema).meta({ id: 'DeployList' });

export type Deploy = z.infer<typeof deploySchema>;
export type DeploySummary = z.infer<typeof deploySummarySchema>;
