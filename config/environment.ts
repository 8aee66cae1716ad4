import { z } from 'zod';
import { features } from '../contracts/rest/route.ts';
import { hourMs, minuteMs, secondMs } from '../contracts/units.ts';

/**
 * Every environment variable that the service reads: one row each, which docs/configuration.md is generated from.
 *
 * Each kind of value has one sentence, which says what is expected, whatever is wrong with the value. It may be a secret, so
 * no sentence repeats it.
 */

const unitsMs = { ms: 1, s: secondMs, m: minuteMs, h: hourMs } as const;

const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

const parseDuration = (text: string): number => {
  const [, amount, unit] = durationPattern.exec(text) ?? [];
  return Number(amount) * unitsMs[unit as keyof typeof unitsMs];
};

const duration = z
  .string()
  .regex(durationPattern, 'a duration such as 500ms, 5s, 10m or 1h')
  .transform(parseDuration);

const splitList = (text: string): string[] => text.split(',').map((part) => part.trim());

const durations = z.string().transform(splitList).pipe(z.array(duration).min(1));

const integer = (minimum: number, maximum: number) => {
  const expected = `a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d+$/, expected)
    .transform(Number)
    .pipe(z.int(expected).min(minimum, expected).max(maximum, expected));
};

const flag = z.enum(['0', '1'], '0 or 1').transform((value) => value === '1');

const oneOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, `one of ${values.join(', ')}`);

const webAddress = z.url({ protocol: /^https?$/, error: 'a URL that begins with http: or https:' });
const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'required, a URL that begins with postgres:',
});

const hostAndPort = z
  .string()
  .regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:,]+):\d{1,5}$/, 'host:port, such as localhost:7233');

const list = <T extends z.ZodType<unknown, string>>(item: T, whenMissing?: string) =>
  z
    .string(whenMissing)
    .transform((text) => splitList(text).filter(Boolean))
    .pipe(z.array(item));

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'] as const;
const expectedProxy = `addresses, CIDR ranges (not one of all addresses), ${proxyNames.join(', ')}`;
/** What Express trusts as a proxy: it takes no range of all addresses, by which every client would be one. */
const proxyAddress = z
  .union([z.enum(proxyNames), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], expectedProxy)
  .refine((text) => !text.endsWith('/0'), expectedProxy);

/** Shorter secrets can be guessed; `npm start` generates 32 random bytes. */
const minSecretLength = 32;
const expectedSecret = `a secret of at least ${minSecretLength} characters`;
const secret = z.string().min(minSecretLength, expectedSecret);

export const environmentSchema = z.object({
  PORT: integer(0, 65_535).prefault('3000').describe('Port of the API; 0 takes a free one.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the API listens on. Plain HTTP is served on loopback only.'),
  TLS_CERT: z
    .string()
    .optional()
    .describe('Path of the certificate that HTTPS is served with (PEM).'),
  TLS_KEY: z.string().optional().describe('Path of its key (PEM).'),
  TRUSTED_PROXIES: list(proxyAddress)
    .prefault('')
    .describe(
      'Addresses or CIDR ranges (also loopback, linklocal, uniquelocal) of proxies in front that serve HTTPS and say so in X-Forwarded-Proto. PUBLIC_URL is then theirs.',
    ),
  DISABLED_FEATURES: list(oneOf(features))
    .prefault('')
    .describe(
      'Features that this process does not have: with `upload-sessions` the creation, missing-blobs and commit of sessions answer 501, with `render-jobs` the state of a job does. All other operations work.',
    ),
  PUBLIC_URL: webAddress
    .optional()
    .describe(
      'Address by which clients reach the API, without /v1. Needed with TRUSTED_PROXIES and where HOST is all addresses.',
    ),
  DATABASE_URL: databaseAddress.describe('PostgreSQL 15 or later.'),
  DATABASE_POOL: integer(2, 100)
    .prefault('10')
    .describe('Most PostgreSQL connections of one process.'),
  AZURE_STORAGE_CONNECTION_STRING: z
    .string()
    .optional()
    .describe('Azure Blob Storage by account key.'),
  AZURE_STORAGE_ACCOUNT: z
    .string()
    .optional()
    .describe('Azure Blob Storage by managed identity: name of the account.'),
  BLOB_CONTAINER: z
    .string()
    .regex(
      /^[a-z0-9](-?[a-z0-9]){2,62}$/,
      'a container name of Azure: 3 to 63 lower-case letters, digits and single hyphens',
    )
    .default('documents')
    .describe('Container that holds files, packs and PDFs; made when it is missing.'),
  BLOB_PUBLIC_URL: webAddress.optional().describe('Address of the blob service in signed links.'),
  TEMPORAL_ADDRESS: hostAndPort
    .default('127.0.0.1:7233')
    .describe('Frontend of the Temporal service.'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Namespace of the workflows.'),
  TEMPORAL_API_KEY: z.string().optional().describe('API key of Temporal Cloud.'),
  TEMPORAL_TLS_CERT: z
    .string()
    .optional()
    .describe('Path of a client certificate for Temporal (PEM).'),
  TEMPORAL_TLS_KEY: z.string().optional().describe('Path of its key (PEM).'),
  TEMPORAL_UI_URL: webAddress
    .optional()
    .describe('Address of the Temporal UI, for links to the workflows of jobs.'),
  SECRET_KEY: list(secret, `required, ${expectedSecret}`)
    .refine(
      (keys) => keys.length >= 1 && keys.length <= 2,
      'one secret, or two with a comma between while it is rotated',
    )
    .describe(
      'Secret that upload tokens, cursors and sessions are signed with, and webhook secrets and permanent links encrypted; two, the new one first, while it is rotated. The former one can go when the clean-up has sealed everything again (`resealedSecrets` 0).',
    ),
  ADMIN_TOKEN: secret
    .optional()
    .describe(
      'Token with which internal tools and operators call the admin router; without it only people who sign in can.',
    ),
  OIDC_ISSUER: webAddress
    .optional()
    .describe('Identity provider (OpenID Connect) that people who were invited can sign in by.'),
  OIDC_CLIENT_ID: z.string().optional().describe('Our client id at the identity provider.'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('Our client secret there.'),
  RENDERER_ENGINE: oneOf(['pipe', 'playwright'])
    .default('pipe')
    .describe(
      'How Chromium is driven: by our own commands on its DevTools pipe, or by Playwright, which prints the same and is slower.',
    ),
  CHROMIUM_PATH: z
    .string()
    .optional()
    .describe(
      'Chromium that prints; the headless shell is 3.5 times as fast as the full browser. The worker needs it; with RENDERER_ENGINE=playwright it finds the one that Playwright installed.',
    ),
  RENDERER_SLOTS: integer(1, 256)
    .optional()
    .describe('Documents that a worker prints at once; as many as it has cores unless given.'),
  RENDERER_BROWSERS: integer(1, 1_024)
    .optional()
    .describe(
      'Browsers that a worker keeps; eight times the slots, as far as memory allows, unless given. Each serves one workspace only.',
    ),
  RENDERER_MEMORY_MB: integer(128, 1_048_576)
    .prefault('1536')
    .describe('Memory that one browser may take before its job is ended, in MiB.'),
  RENDERER_ALLOW_NO_SANDBOX: flag
    .prefault('0')
    .describe("1 prints without Chromium's sandbox: only where every document is trusted."),
  RENDERER_WORK_FOLDER: z
    .string()
    .optional()
    .describe('Folder for the temporary files of the browsers; emptied when the worker starts.'),
  RENDER_RETRY_DELAYS: durations
    .prefault('5s,20s')
    .describe('Delays before the retries of a crashed or slow render, ± 20 %.'),
  WEBHOOK_RETRY_SCHEDULE: durations
    .prefault('0s,5s,5m,30m,2h,5h,10h,14h,20h,24h')
    .describe('Delays before each attempt to deliver a webhook, the first included, ± 10 %.'),
  EGRESS_ALLOW: list(hostAndPort)
    .prefault('')
    .describe(
      'Private addresses (host:port, comma-separated) that pages, URL deploys and webhooks may reach; webhooks also by plain HTTP.',
    ),
  PLANS_FILE: z.string().optional().describe('JSON file that replaces the built-in plans.'),
  UPLOAD_SESSION_TTL: duration
    .prefault('1h')
    .describe('How long an upload session stays open, also after each commit that failed.'),
  TRANSIENT_OUTPUT_TTL: duration
    .prefault('24h')
    .describe('How long a transient output is kept at most.'),
  CLEAN_UP_INTERVAL: duration
    .prefault('5m')
    .describe('How often expired sessions, outputs, files and keys are removed.'),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('Least important log lines that are written.'),
});

export type Environment = z.output<typeof environmentSchema>;
