import { z } from 'zod';
import { bytes, exampleTime, mime, sha256, timestamp } from '../../fields.ts';
import { exampleId, exampleSha256 } from '../../ids.ts';
import { maxSingleFileBytes } from '../../limits.ts';
import { uploadSessionStatusSchema } from '../../states.ts';
import { dayMs } from '../../units.ts';
import { deployName, slug } from './deploys.ts';
import { documentPath, uniquePaths } from './document-paths.ts';
import { exampleFile } from './examples.ts';

/** REST 2.3 */
export const uploadSessionSchema = z
  .strictObject({
    id: z.string(),
    deployId: z.string().optional(),
    status: uploadSessionStatusSchema,
    requestedFileCount: z.int().nonnegative(),
    requestedBytes: bytes,
    createdAt: timestamp,
    expiresAt: timestamp,
    uploadToken: z.string().meta({ description: 'Send it as `X-Upload-Token`. Keep it secret.' }),
  })
  .meta({
    id: 'UploadSession',
    description: 'Uploads files to a managed deploy.',
    examples: [
      {
        id: exampleId('uploadSession'),
        deployId: exampleId('deploy'),
        status: 'open',
        requestedFileCount: 1,
        requestedBytes: 5_120,
        createdAt: exampleTime,
        expiresAt: exampleTime + dayMs,
        uploadToken: 'upt_Yk2u0UgZ7xk0mAZq3NcgAbQ',
      },
    ],
  });

/** Size of a file. The document shows the largest size, but the schema does not check it: larger files get a policy code (REST 7). */
export const fileSize = bytes.meta({
  description: 'Bytes of the file.',
  override: { maximum: maxSingleFileBytes },
});

const uploadFileSchema = z.strictObject({
  path: documentPath,
  sha256,
  size: fileSize,
  mime: mime.optional(),
});

/** True if all files with the same SHA-256 have the same size. */
export function sizesAgree(files: readonly { sha256: string; size: number }[]): boolean {
  const sizes = new Map(files.map((file) => [file.sha256, file.size]));
  return files.every((file) => sizes.get(file.sha256) === file.size);
}

/** REST 4.2: create. */
export const createUploadSessionBody = z
  .strictObject({
    deployId: z.string().optional(),
    createDeploy: z.strictObject({ slug, name: deployName }).optional(),
    temporaryRender: z.boolean().default(false).meta({
      description: 'The deploy is deleted after its render job has ended. Needs `createDeploy`.',
    }),
    files: z
      .array(uploadFileSchema)
      .min(1)
      .refine(...uniquePaths),
  })
  .refine((body) => Boolean(body.deployId) !== Boolean(body.createDeploy), {
    message: 'send either deployId or createDeploy',
  })
  .refine((body) => !body.temporaryRender || body.createDeploy, {
    path: ['temporaryRender'],
    message: 'temporaryRender needs createDeploy',
  })
  .refine((body) => sizesAgree(body.files), {
    path: ['files'],
    message: 'the same sha256 is listed with two sizes',
  })
  .meta({
    id: 'CreateUploadSessionBody',
    description: 'Uploads to the existing deploy `deployId` or to the new deploy `createDeploy`.',
    examples: [
      {
        createDeploy: { slug: 'invoice', name: 'Invoice' },
        files: [{ ...exampleFile, sha256: exampleSha256 }],
      },
    ],
    override: {
      if: { required: ['deployId'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        not: { required: ['createDeploy'] },
        properties: { temporaryRender: { const: false } },
      },
      else: { required: ['createDeploy'] },
    },
  });

/** REST 2.5 */
const blobSchema = z.strictObject({ sha256, size: bytes, mime: mime.optional() }).meta({
  id: 'Blob',
  description: 'A stored file.',
  examples: [{ sha256: exampleSha256, size: 5_120, mime: 'text/html' }],
});

export const uploadSessionAnswer = z
  .strictObject({ uploadSession: uploadSessionSchema })
  .meta({ id: 'UploadSessionAnswer' });
const uploadSessionId = z.string().meta({ examples: [exampleId('uploadSession')] });
export const missingBlobsAnswer = z
  .strictObject({ uploadSessionId, missingBlobs: z.array(z.strictObject({ sha256 })) })
  .meta({ id: 'MissingBlobs' });
export const blobAnswer = z
  .strictObject({
    uploadSessionId,
    alreadyPresent: z.boolean().meta({
      description: 'True if the bytes were already stored.',
      examples: [false],
    }),
    blob: blobSchema,
  })
  .meta({ id: 'BlobAnswer' });
export type UploadSession = z.infer<typeof uploadSessionSchema>;
export type CreateUploadSessionBody = z.output<typeof createUploadSessionBody>;
