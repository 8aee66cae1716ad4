import { z } from 'zod';
import { printOptionsSchema } from '../print-options.ts';
import { deployVersionStatusSchema, uploadSessionStatusSchema } from '../states.ts';
import { bytes, mime, nextCursor, sha256, timestamp } from './common.ts';
import { deployName, slug } from './deploys.ts';
import { documentPath, uniquePaths } from './document-paths.ts';

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
    uploadToken: z.string(),
  })
  .meta({ id: 'UploadSession' });

const uploadFileSchema = z.strictObject({
  path: documentPath,
  sha256,
  size: bytes,
  mime: mime.optional(),
});

/** REST 4.2: create. */
export const createUploadSessionBody = z
  .strictObject({
    deployId: z.string().optional(),
    createDeploy: z.strictObject({ slug, name: deployName }).optional(),
    temporaryRender: z.boolean().default(false),
    files: z
      .array(uploadFileSchema)
      .min(1)
      .refine(...uniquePaths),
  })
  .refine((body) => Boolean(body.deployId) !== Boolean(body.createDeploy), {
    message: 'give deployId or createDeploy, one of them',
  })
  .refine((body) => !body.temporaryRender || body.createDeploy, {
    path: ['temporaryRender'],
    message: 'temporaryRender needs createDeploy',
  })
  .refine((body) => sizesAgree(body.files), {
    path: ['files'],
    message: 'the same sha256 is listed with two sizes',
  });

const commitEntrySchema = z.strictObject({
  path: documentPath,
  blobHash: sha256,
  size: bytes,
  mime: mime.optional(),
});

/** Metadata of a version is the customer's, apart from `pdf`, which is how it is printed. */
const renderMetadataSchema = z.looseObject({ pdf: printOptionsSchema.optional() });

/** The smallest time in which a page can be printed at all; a shorter limit could only fail. */
const minRenderTimeoutMs = 1_000;

/** REST 4.2: commit. */
export const commitBody = z
  .strictObject({
    entries: z
      .array(commitEntrySchema)
      .min(1)
      .refine(...uniquePaths),
    render: z.strictObject({
      route: documentPath,
      title: z.string().min(1).max(255),
      renderTimeoutMs: z.int().min(minRenderTimeoutMs).optional(),
      metadata: renderMetadataSchema.optional(),
    }),
  })
  .refine((body) => body.entries.some((entry) => entry.path === body.render.route), {
    path: ['render', 'route'],
    message: 'the route names no entry',
  })
  .refine(
    (body) => sizesAgree(body.entries.map(({ blobHash, size }) => ({ sha256: blobHash, size }))),
    {
      path: ['entries'],
      message: 'the same blobHash is listed with two sizes',
    },
  );

function sizesAgree(files: readonly { sha256: string; size: number }[]): boolean {
  const sizes = new Map(files.map((file) => [file.sha256, file.size]));
  return files.every((file) => sizes.get(file.sha256) === file.size);
}

/** REST 2.4 */
export const deployVersionSchema = z
  .strictObject({
    id: z.string(),
    displayId: z.string().meta({ example: 'v1' }),
    deployId: z.string(),
    versionNo: z.int().positive(),
    treeHash: sha256,
    renderIndexKey: z.string(),
    renderPackKey: z.string(),
    route: z.string(),
    title: z.string(),
    renderTimeoutMs: z.int().positive().optional(),
    metadataJson: z.string().optional(),
    status: deployVersionStatusSchema,
    createdAt: timestamp,
  })
  .meta({ id: 'DeployVersion' });

/** REST 2.5 */
export const blobSchema = z
  .strictObject({ sha256, size: bytes, mime: mime.optional() })
  .meta({ id: 'Blob' });

export const uploadSessionAnswer = z.strictObject({ uploadSession: uploadSessionSchema });
export const missingBlobsAnswer = z.strictObject({
  uploadSessionId: z.string(),
  missingBlobs: z.array(z.strictObject({ sha256 })),
});
export const blobAnswer = z.strictObject({
  uploadSessionId: z.string(),
  alreadyPresent: z.boolean(),
  blob: blobSchema,
});
export const deployVersionListAnswer = z.strictObject({
  items: z.array(deployVersionSchema),
  nextCursor,
});
export const deployVersionAnswer = z.strictObject({ deployVersion: deployVersionSchema });

export type UploadSession = z.infer<typeof uploadSessionSchema>;
export type CreateUploadSessionBody = z.output<typeof createUploadSessionBody>;
export type CommitBody = z.output<typeof commitBody>;
export type CommitEntry = z.infer<typeof commitEntrySchema>;
export type DeployVersion = z.infer<typeof deployVersionSchema>;
