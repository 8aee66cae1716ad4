import { z } from 'zod';
import { bytes, exampleTime, mime, sha256, timestamp } from '../../fields.ts';
import { exampleId, exampleSha256 } from '../../ids.ts';
import { maxMetadataBytes, maxSingleFileBytes } from '../../limits.ts';
import type { VersionWarningCode } from '../../logs.ts';
import { pageOf } from '../../pagination.ts';
import { deployVersionStatusSchema, uploadSessionStatusSchema } from '../../states.ts';
import { dayMs } from '../../units.ts';
import { resolveRoute } from '../document-route.ts';
import { printOptionsSchema } from '../print-options.ts';
import { deployName, slug } from './deploys.ts';
import { documentPath, documentRoute, uniquePaths } from './document-paths.ts';

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

/** Metadata and print options are in every list of versions, so each is small. */
const sizeLimit = [
  (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length <= maxMetadataBytes,
  `at most ${maxMetadataBytes} bytes as JSON: put what is larger into a file of the document`,
] as const;

const printOptionsReference = { $ref: '#/components/schemas/PrintOptions' };

/** Print options as they were given: their defaults are those of the version's print generation, so none is filled in. */
const givenPrintOptions = z
  .custom<z.input<typeof printOptionsSchema>>()
  .superRefine((given, context) => {
    for (const issue of printOptionsSchema.safeParse(given).error?.issues ?? [])
      context.addIssue({ ...issue });
  })
  .refine(...sizeLimit)
  .meta({ override: printOptionsReference });

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any object, kept as it is: a schema of zod's own would drop a key `__proto__`. */
const renderMetadata = z
  .custom<Readonly<Record<string, unknown>>>(isObject, 'an object')
  .meta({
    description: 'Yours: any keys.',
    override: {
      type: 'object',
      properties: {
        pdf: {
          description:
            'Where `print` is absent and these are print options, they apply: clients gave them here before there was `print`. Anything else is yours, and the answer warns that it was not applied.',
          deprecated: true,
          anyOf: [printOptionsReference, {}],
        },
      },
      additionalProperties: {},
    },
  })
  .refine(...sizeLimit);

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
      route: documentRoute,
      title: z.string().min(1).max(255),
      renderTimeoutMs: z
        .int()
        .min(minRenderTimeoutMs)
        .optional()
        .meta({ description: 'Limit of one render, at most that of the plan.' }),
      print: givenPrintOptions.optional(),
      metadata: renderMetadata.optional(),
    }),
  })
  .refine(routeNamesEntry, {
    path: ['render', 'route'],
    message:
      'the route names no entry: give the path of one, such as "index.html", or a folder that has an index.html, such as "/"',
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
          print: { format: 'A4', margin: { top: '20mm', bottom: '20mm' } },
          metadata: { team: 'billing' },
        },
      },
    ],
  });

function routeNamesEntry({
  entries,
  render,
}: {
  entries: readonly { path: string }[];
  render: { route: string };
}): boolean {
  const paths = new Set(entries.map(({ path }) => path));
  return resolveRoute(render.route, (path) => paths.has(path)) !== undefined;
}

function sizesAgree(files: readonly { sha256: string; size: number }[]): boolean {
  const sizes = new Map(files.map((file) => [file.sha256, file.size]));
  return files.every((file) => sizes.get(file.sha256) === file.size);
}

/** A part of the commit that was not applied. */
const deployVersionWarningSchema = z
  .strictObject({
    code: z.string().meta({ description: 'Kind, such as `metadata_pdf_ignored`.' }),
    message: z.string().meta({ description: 'The same in a sentence.' }),
  })
  .meta({ id: 'DeployVersionWarning' });

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
    route: z.string().meta({ description: 'What is opened and printed, as it was given.' }),
    title: z.string(),
    renderTimeoutMs: z.int().positive().optional(),
    metadataJson: z
      .string()
      .optional()
      .meta({ description: '`render.metadata` of the commit, as JSON.' }),
    print: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The print options that apply, as they were given.' }),
    warnings: z.array(deployVersionWarningSchema).optional().meta({
      description: 'What of the commit was not applied; each job of the version has it in its log.',
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
export const deployVersionListAnswer = pageOf(deployVersionSchema).meta({
  id: 'DeployVersionList',
});
export const deployVersionAnswer = z
  .strictObject({ deployVersion: deployVersionSchema })
  .meta({ id: 'DeployVersionAnswer' });

export type UploadSession = z.infer<typeof uploadSessionSchema>;
export type CreateUploadSessionBody = z.output<typeof createUploadSessionBody>;
export type CommitBody = z.output<typeof commitBody>;
export type GivenPrintOptions = z.infer<typeof givenPrintOptions>;
export type CommitEntry = z.infer<typeof commitEntrySchema>;
export type DeployVersion = z.infer<typeof deployVersionSchema>;
export type DeployVersionWarning = z.infer<typeof deployVersionWarningSchema> & {
  readonly code: VersionWarningCode;
};
