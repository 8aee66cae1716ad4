import { z } from 'zod';
import { exampleTime, sha256, timestamp } from '../../fields.ts';
import { exampleId, exampleSha256 } from '../../ids.ts';
import type { VersionWarningCode } from '../../logs.ts';
import { pageOf } from '../../pagination.ts';
import { deployVersionStatusSchema } from '../../states.ts';

/** A warning that a part of the commit was not applied. */
const deployVersionWarningSchema = z
  .strictObject({
    code: z.string().meta({ description: 'Kind of the warning, such as `metadata_pdf_ignored`.' }),
    message: z.string().meta({ description: 'The `code` in a sentence.' }),
  })
  .meta({ id: 'DeployVersionWarning' });

/** REST 2.4 */
export const deployVersionSchema = z
  .strictObject({
    id: z.string(),
    displayId: z.string().meta({ description: 'The number in a form for people, such as `v1`.' }),
    deployId: z.string(),
    versionNo: z
      .int()
      .positive()
      .meta({ description: 'Starts at 1. A number is never used again.' }),
    treeHash: sha256.meta({ description: 'Hash of all paths and contents.' }),
    renderIndexKey: z.string(),
    renderPackKey: z.string(),
    route: z
      .string()
      .meta({ description: 'The page that is opened and printed, unchanged from the commit.' }),
    title: z.string(),
    renderTimeoutMs: z.int().positive().optional(),
    metadataJson: z
      .string()
      .optional()
      .meta({ description: '`render.metadata` of the commit, as JSON.' }),
    print: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The print options that apply, unchanged from the commit.' }),
    warnings: z.array(deployVersionWarningSchema).optional().meta({
      description:
        'Parts of the commit that were not applied. The log of each job of the version has them too.',
    }),
    status: deployVersionStatusSchema,
    createdAt: timestamp,
  })
  .meta({
    id: 'DeployVersion',
    description: 'An immutable state of a managed deploy, made by a commit.',
    examples: [
      {
        id: exampleId('deployVersion'),
        displayId: 'v1',
        deployId: exampleId('deploy'),
        versionNo: 1,
        treeHash: exampleSha256,
        renderIndexKey: `${exampleId('workspace')}/packs/${exampleSha256}.json`,
        renderPackKey: `${exampleId('workspace')}/packs/${exampleSha256}`,
        route: 'index.html',
        title: 'Invoice',
        renderTimeoutMs: 30_000,
        print: { format: 'A4', margin: { top: '20mm', bottom: '20mm' } },
        status: 'ready',
        createdAt: exampleTime,
      },
    ],
  });

export const deployVersionListAnswer = pageOf(deployVersionSchema).meta({
  id: 'DeployVersionList',
});
export const deployVersionAnswer = z
  .strictObject({ deployVersion: deployVersionSchema })
  .meta({ id: 'DeployVersionAnswer' });

export type DeployVersion = z.infer<typeof deployVersionSchema>;
export type DeployVersionWarning = z.infer<typeof deployVersionWarningSchema> & {
  readonly code: VersionWarningCode;
};
