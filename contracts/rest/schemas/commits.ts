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

/** Arguments of zod's `refine`. They limit the size of metadata and print options, because both are in every list of versions. */
const sizeLimit = [
  (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length <= maxMetadataBytes,
  `at most ${maxMetadataBytes} bytes as JSON: put larger data into a file of the document`,
] as const;

const printOptionsReference = { $ref: '#/components/schemas/PrintOptions' };

/** Print options without defaults: the defaults depend on the print generation of the version and are filled in later. */
const explicitPrintOptions = z
  .custom<z.input<typeof printOptionsSchema>>()
  .superRefine((options, context) => {
    for (const issue of printOptionsSchema.safeParse(options).error?.issues ?? [])
      context.addIssue({ ...issue });
  })
  .refine(...sizeLimit)
  .meta({ override: printOptionsReference });

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any object, kept unchanged. Zod's own object schema would drop a key `__proto__`. */
const renderMetadata = z
  .custom<Readonly<Record<string, unknown>>>(isObject, 'an object')
  .meta({
    description: 'Your own metadata, with any keys.',
    override: {
      type: 'object',
      properties: {
        pdf: {
          description:
            'Print options of clients from before `print` existed. They apply if `print` is absent. Anything else is kept as metadata, with a warning in the answer that it was not applied.',
          deprecated: true,
          anyOf: [printOptionsReference, {}],
        },
      },
      additionalProperties: {},
    },
  })
  .refine(...sizeLimit);

/** A page cannot be printed in less time, so a shorter limit would always fail. */
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
        .meta({ description: 'Time limit of one render in ms, at most that of the plan.' }),
      print: explicitPrintOptions.optional(),
      metadata: renderMetadata.optional(),
    }),
  })
  .refine(routeNamesEntry, {
    path: ['render', 'route'],
    message:
      'no entry has this path: send the path of an entry, such as "index.html", or a folder that has an index.html, such as "/"',
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
export type ExplicitPrintOptions = z.infer<typeof explicitPrintOptions>;
export type CommitEntry = z.infer<typeof commitEntrySchema>;
