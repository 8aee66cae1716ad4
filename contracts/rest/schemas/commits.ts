import { z } from 'zod';
import { mime, sha256 } from '../../fields.ts';
import { exampleSha256 } from '../../ids.ts';
import { maxMetadataBytes } from '../../limits.ts';
import { resolveRoute } from '../document-route.ts';
import { documentPath, documentRoute, uniquePaths } from './document-paths.ts';
import { exampleFile } from './examples.ts';
import { printOptionsSchema } from './print-options.ts';
import { fileSize, sizesAgree } from './upload-sessions.ts';

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

export type CommitBody = z.output<typeof commitBody>;
export type GivenPrintOptions = z.infer<typeof givenPrintOptions>;
export type CommitEntry = z.infer<typeof commitEntrySchema>;
