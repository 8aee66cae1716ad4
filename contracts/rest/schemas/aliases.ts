import { z } from 'zod';
import { exampleTime, timestamp } from '../../fields.ts';
import { aliasNamePattern, exampleId, hasIdPrefix } from '../../ids.ts';
import { pageOf } from '../../pagination.ts';

/** Name of an alias. It cannot be `latest`, which is virtual, and cannot look like an id: it could hide a version. */
export const aliasName = z
  .string()
  .regex(
    aliasNamePattern,
    'up to 63 letters, digits, ".", "_" and "-", beginning with a letter or digit',
  )
  .refine(
    (name) => name !== 'latest',
    'a name other than latest, which always means the newest version',
  )
  .refine((name) => !hasIdPrefix(name), 'a name that does not look like an id');

/** REST 2.2 */
export const aliasSchema = z
  .strictObject({
    deployId: z.string(),
    alias: z.string(),
    deployVersionId: z.string().meta({ description: 'A version id or `latest`.' }),
    updatedAt: timestamp,
  })
  .meta({
    id: 'Alias',
    description: 'A name that points at a version, such as `production`.',
    examples: [
      {
        deployId: exampleId('deploy'),
        alias: 'production',
        deployVersionId: exampleId('deployVersion'),
        updatedAt: exampleTime,
      },
    ],
  });

export const aliasListAnswer = pageOf(aliasSchema).meta({ id: 'AliasList' });

export const setAliasBody = z
  .strictObject({
    deployVersionId: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: 'A version id, `latest`, or the name of another alias.' }),
  })
  .meta({ id: 'SetAliasBody', examples: [{ deployVersionId: exampleId('deployVersion') }] });

export type Alias = z.infer<typeof aliasSchema>;
