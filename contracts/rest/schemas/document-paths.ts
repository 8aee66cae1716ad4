import { z } from 'zod';

/** Longest path of a file in a document; Azure's and most file systems' limit for a whole name is 1,024. */
const maxPathLength = 1_024;

const reservedSegments = new Set(['', '.', '..']);

/** One segment, as much of the rules below as a pattern can say. */
const segment = String.raw`(?!\.{1,2}(?:/|$))[^/\\\u0000-\u001f\u007f-\u009f]+`;

/**
 * The path of a file in a document: forward slashes, no empty, `.` or `..` segment, no backslash or control character; in
 * Unicode's NFC, because two spellings of one name would be two files on one machine and one on another. `__payload` is ours.
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
      'A relative path with forward slashes, in Unicode form NFC: no empty, `.` or `..` segment, no backslash or control character, not `__payload`.',
    examples: ['index.html'],
    override: { pattern: `^${segment}(?:/${segment})*$` },
  });

/** Longest route: the longest path, and as much again after it. */
const maxRouteLength = 2 * maxPathLength;

/** Names the page that is opened and printed; `resolveRoute` finds its file. */
export const documentRoute = z
  .string()
  .min(1)
  .max(maxRouteLength)
  .refine((route) => !/\p{Cc}/u.test(route), 'a route without control character')
  .meta({
    description:
      'The entry that is opened and printed, by its path; a `/` before it, `?query` and `#hash` after it may be given. `/`, or another folder with a slash at its end, is the `index.html` in it. No control character.',
    examples: ['index.html'],
  });

/** Paths are unique also where case is ignored: a document must not depend on the file system it was built on. */
export const uniquePaths = [
  (files: readonly { path: string }[]) =>
    new Set(files.map(({ path }) => path.toLowerCase())).size === files.length,
  { message: 'two paths are equal when case is ignored' },
] as const satisfies [unknown, unknown];
