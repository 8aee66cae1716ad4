import { z } from 'zod';

/** Longest path of a file in a document. Azure and most file systems limit a full name to 1,024. */
const maxPathLength = 1_024;

const reservedSegments = new Set(['', '.', '..']);

/** One segment of a path: the part of the rules below that a regular expression can check. */
const segment = String.raw`(?!\.{1,2}(?:/|$))[^/\\\u0000-\u001f\u007f-\u009f]+`;

/**
 * The path of a file in a document, with forward slashes. It has no empty, `.` or `..` segment and no backslash or control
 * character. It is in Unicode form NFC: otherwise two spellings of a name could be two files on one machine and one on another.
 * The service itself serves `__payload`.
 */
export const documentPath = z
  .string()
  .min(1)
  .max(maxPathLength)
  .refine((path) => path === path.normalize('NFC'), 'a path in Unicode form NFC')
  .refine((path) => !/[\\\p{Cc}]/u.test(path), 'a path without backslash or control character')
  .refine(
    (path) => path.split('/').every((segment) => !reservedSegments.has(segment)),
    'a relative path without empty, "." or ".." segments',
  )
  .refine(
    (path) => path.toLowerCase() !== '__payload',
    'a path other than __payload, which is the payload',
  )
  .meta({
    description:
      'A relative path with forward slashes, in Unicode form NFC. No empty, `.` or `..` segment, no backslash or control character, not `__payload`.',
    examples: ['index.html'],
    override: { pattern: `^${segment}(?:/${segment})*$` },
  });

/** Longest route: the longest path and the same length for its query and hash. */
const maxRouteLength = 2 * maxPathLength;

/** Route of the page that is opened and printed. `resolveRoute` finds its file. */
export const documentRoute = z
  .string()
  .min(1)
  .max(maxRouteLength)
  .refine((route) => !/\p{Cc}/u.test(route), 'a route without control character')
  .meta({
    description:
      'Path of the entry that is opened and printed. It may have a leading `/` and a trailing `?query` and `#hash`. `/`, or another folder that ends with a slash, stands for the `index.html` in it. No control character.',
    examples: ['index.html'],
  });

/** Arguments of zod's `refine`. Paths must differ in more than case: a document must not depend on the file system on which it was built. */
export const uniquePaths = [
  (files: readonly { path: string }[]) =>
    new Set(files.map(({ path }) => path.toLowerCase())).size === files.length,
  { message: 'two paths are equal when case is ignored' },
] as const satisfies [unknown, unknown];
