import { typeid } from 'typeid-js';
import type { HttpErrorCode } from './errors.ts';

/** Prefix of each kind of id. An id is a TypeID: a prefix and a UUIDv7. Ids sort by the time of their creation. */
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

/** Makes a new id. It sorts after all ids that the same process made before. */
export const newId = (kind: IdKind): string => typeid(idPrefixes[kind]).toString();

/** Suffix of a TypeID: 26 characters of Crockford's base 32, the first at most 7. */
const idSuffix = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const idPattern = (kind: IdKind) => new RegExp(`^${idPrefixes[kind]}_${idSuffix}$`);

/** The pattern of a path parameter. A value that does not match is answered like an id that does not exist. */
export interface PathParameter {
  readonly pattern: RegExp;
  /** Pattern of the names that can be created, if it is stricter than `pattern`, which reads accept. */
  readonly namePattern?: RegExp;
  readonly notFound: HttpErrorCode;
  readonly description: string;
  readonly example: string;
}

const exampleSuffix = '01jd2m5k8xe7v9q4t6w3r1n0ab';

/** The id of this kind in the examples of the OpenAPI document. */
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
/** SHA-256 of zero bytes. */
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

/** True if the text starts like one of our ids. An alias must not: it could hide a version. */
export const hasIdPrefix = (value: string): boolean => anyIdPattern.test(value);
