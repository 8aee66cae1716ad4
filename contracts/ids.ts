import { typeid } from 'typeid-js';
import type { HttpErrorCode } from './errors.ts';

/** Prefix of each kind of id. Ids are TypeIDs: the prefix and a UUIDv7, so they sort by creation. */
export const idPrefixes = {
  workspace: 'ws',
  apiKey: 'key',
  deploy: 'dpl',
  deployVersion: 'ver',
  uploadSession: 'ups',
  renderJob: 'job',
  output: 'out',
  pdf: 'pdf',
  permanentLink: 'lnk',
  user: 'usr',
  invitation: 'inv',
  auditEntry: 'aud',
  webhookEndpoint: 'whk',
  webhookEvent: 'evt',
  webhookDelivery: 'whd',
} as const;

export type IdKind = keyof typeof idPrefixes;

/** A new id, later in sort order than every id that this process made before. */
export const newId = (kind: IdKind): string => typeid(idPrefixes[kind]).toString();

/** 26 characters of Crockford's base 32, the first at most 7: the suffix of a TypeID. */
const idSuffix = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const idPattern = (kind: IdKind) => new RegExp(`^${idPrefixes[kind]}_${idSuffix}$`);

/** What a path parameter must look like, and the answer when it looks otherwise: that of an id that does not exist. */
export interface PathParameter {
  readonly pattern: RegExp;
  /** What may be created, where that is less than what may be asked for. */
  readonly namePattern?: RegExp;
  readonly notFound: HttpErrorCode;
  readonly description: string;
  readonly example: string;
}

const exampleSuffix = '01jd2m5k8xe7v9q4t6w3r1n0ab';

/** An id as the examples of the OpenAPI document have it. */
export const exampleId = (kind: IdKind): string => `${idPrefixes[kind]}_${exampleSuffix}`;

const idParameter = (
  kind: IdKind,
  notFound: HttpErrorCode,
  description: string,
): PathParameter => ({
  pattern: idPattern(kind),
  notFound,
  description,
  example: exampleId(kind),
});

/** 64 lower-case hexadecimal digits. */
export const sha256Pattern = /^[0-9a-f]{64}$/;
/** Of no bytes at all. */
export const exampleSha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export const aliasNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

export const pathParameters = {
  deployId: idParameter('deploy', 'deploy_not_found', 'Id of the deploy.'),
  uploadSessionId: idParameter(
    'uploadSession',
    'upload_session_not_found',
    'Id of the upload session.',
  ),
  jobId: idParameter('renderJob', 'render_job_not_found', 'Id of the render job.'),
  versionId: idParameter('deployVersion', 'deploy_version_not_found', 'Id of the version.'),
  pdfId: idParameter('pdf', 'pdf_not_found', 'Id of the managed PDF.'),
  linkId: idParameter('permanentLink', 'permanent_link_not_found', 'Id of the permanent link.'),
  sha256: {
    pattern: sha256Pattern,
    notFound: 'blob_not_in_session',
    description: 'SHA-256 of the file, 64 lower-case hexadecimal digits.',
    example: exampleSha256,
  },
  alias: {
    pattern: /^[^\p{Cc}/]{1,}$/u,
    namePattern: aliasNamePattern,
    notFound: 'not_found',
    description: 'Name of the alias, such as `production`.',
    example: 'production',
  },
} as const satisfies Record<string, PathParameter>;

export type PathParameterName = keyof typeof pathParameters;

const anyIdPattern = new RegExp(`^(${Object.values(idPrefixes).join('|')})_`);

/** True for whatever begins as one of our ids does: no alias may, or it could hide a version. */
export const looksLikeId = (value: string): boolean => anyIdPattern.test(value);
