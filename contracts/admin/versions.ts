import { z } from 'zod';
import { bytes, mime, sha256 } from '../fields.ts';
import { deployVersionSchema } from '../rest/schemas/versions.ts';

/** A file of a version. */
export const versionFileSchema = z.strictObject({
  path: z.string(),
  size: bytes,
  /** From the commit, else derived from the file name. */
  mime,
  sha256,
});
export type VersionFile = z.infer<typeof versionFileSchema>;

/** A version and all of its files. */
export const versionDetails = z.strictObject({
  deployVersion: deployVersionSchema,
  files: z.array(versionFileSchema),
});
