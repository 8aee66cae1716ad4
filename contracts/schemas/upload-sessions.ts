import { z } from 'zod';
import { exampleId, exampleSha256 } from '../ids.ts';
import { maxMetadataBytes, maxSingleFileBytes } from '../limits.ts';
import { printOptionsSchema } from '../print-options.ts';
import { deployVersionStatusSchema, uploadSessionStatusSchema } from '../states.ts';
import { dayMs } from '../units.ts';
import { bytes, exampleTime, mime, nextCursor, sha256, timestamp } from './common.ts';
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
    uploadToken: z.string().meta({ description: 'Send it as `X-Upload-Token`; keep it secret.' }),
  })
  .meta({
    id: 'UploadSession',
    description: 'Brings files to a managed deploy.',
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

const exampleFile = { path: 'index.html', size: 5_120, mime: 'text/html' };

/** The largest that a plan may allow; a larger one is refused with a policy code (REST 7), not by the schema. */
const fileSize = bytes.meta({
  description: 'Bytes of the file.',
  override: { maximum: maxSingleFileBytes },
});

const uploadFileSchema = z.strictObject({
  path: documentPath,
  sha256,
  size: fileSize,
  mime: mime.optional(),
});

/** REST 4.2: create. */
export const createUploadSessionBody = z
  .strictObject({
    deployId: z.string().optional(),
    createDeploy: z.strictObject({ slug, name: deployName }).optional(),
    temporaryRender: z.boolean().default(false).meta({
      description: 'The deploy is deleted after its render job has ended; needs `createDeploy`.',
    }),
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
  })
  .meta({
    id: 'CreateUploadSessionBody',
    description: 'Names an existing deploy by `deployId` or creates one by `createDeploy`.',
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

const commitEntrySchema = z.strictObject({
  path: documentPath,
  blobHash: sha256,
  size: fileSize,
  mime: mime.optional(),
});

/** Metadata of a version is the customer's, apart from `pdf`, which is how it is printed. */
const renderMetadataSchema = z
  .looseObject({ pdf: printOptionsSchema.optional() })
  .refine(
    (metadata) => new TextEncoder().encode(JSON.stringify(metadata)).length <= maxMetadataBytes,
    {
      error: `Metadata has at most ${maxMetadataBytes} bytes as JSON: put what is larger into a file of the document.`,
    },
  );

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
      route: documentPath.meta({ description: 'The entry that is opened and printed.' }),
      title: z.string().min(1).max(255),
      renderTimeoutMs: z
        .int()
        .min(minRenderTimeoutMs)
        .optional()
        .meta({ description: 'Limit of one render, at most that of the plan.' }),
      metadata: renderMetadataSchema.optional().meta({
        description: 'Yours, apart from `pdf`, which says how the version is printed.',
      }),
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
  )
  .meta({
    id: 'CommitBody',
    examples: [
      {
        entries: [{ ...exampleFile, blobHash: exampleSha256 }],
        render: {
          route: 'index.html',
          title: 'Invoice',
          renderTimeoutMs: 30_000,
          metadata: { pdf: { format: 'A4', margin: { top: '20mm', bottom: '20mm' } } },
        },
      },
    ],
  });

function sizesAgree(files: readonly { sha256: string; size: number }[]): boolean {
  const sizes = new Map(files.map((file) => [file.sha256, file.size]));
  return files.every((file) => sizes.get(file.sha256) === file.size);
}

/** REST 2.4 */
export const deployVersionSchema = z
  .strictObject({
    id: z.string(),
    displayId: z.string().meta({ description: 'The number as people read it.' }),
    deployId: z.string(),
    versionNo: z.int().positive().meta({ description: 'From 1; never used again.' }),
    treeHash: sha256.meta({ description: 'Hash of all paths and contents.' }),
    renderIndexKey: z.string(),
    renderPackKey: z.string(),
    route: z.string().meta({ description: 'The file that is opened and printed.' }),
    title: z.string(),
    renderTimeoutMs: z.int().positive().optional(),
    metadataJson: z
      .string()
      .optional()
      .meta({ description: '`render.metadata` of the commit, as JSON.' }),
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
        status: 'ready',
        createdAt: exampleTime,
      },
    ],
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
      description: 'The bytes were stored before.',
      examples: [false],
    }),
    blob: blobSchema,
  })
  .meta({ id: 'BlobAnswer' });
export const deployVersionListAnswer = z
  .strictObject({ items: z.array(deployVersionSchema), nextCursor })
  .meta({ id: 'DeployVersionList' });
export const deployVersionAnswer = z
  .strictObject({ deployVersion: deployVersionSchema })
  .meta({ id: 'DeployVersionAnswer' });

export type UploadSession = z.infer<typeof uploadSessionSchema>;
export type CreateUploadSessionBody = z.output<typeof createUploadSessionBody>;
export type CommitBody = z.output<typeof commitBody>;
export type CommitEntry = z.infer<typeof commitEntrySchema>;
export type DeployVersion = z.infer<typeof deployVersionSchema>;
