import { z } from 'zod';
import { features } from '../contracts/rest/route.ts';
import { hourMs, minuteMs, secondMs } from '../contracts/units.ts';

/**
 * Every environment variable that the service reads, one row each. docs/configuration.md is generated from these rows.
 *
 * A default is written as a person would set it. Values that are parsed take `.prefault('1h')`, texts `.default('…')`. A list
 * that may be empty takes `.prefault('')`.
 *
 * Each type of value has one error sentence. It says what is expected and never repeats the value, which may be a secret.
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

const webAddress = z.url({ protocol: /^https?$/, error: 'a URL that starts with http: or https:' });
const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'required, a URL that starts with postgres:',
});

const hostAndPort = z
  .string()
  .regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:,]+):\d{1,5}$/, 'host:port, such as localhost:7233');

const list = <T extends z.ZodType<unknown, string>>(item: T, messageIfMissing?: string) =>
  z
    .string(messageIfMissing)
    .transform((text) => splitList(text).filter(Boolean))
    .pipe(z.array(item));

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'] as const;
const expectedProxy = `addresses, CIDR ranges (not one of all addresses), ${proxyNames.join(', ')}`;
/**
 * An address, range or name that Express accepts as a trusted proxy. A range of all addresses is refused, because every client
 * would be a trusted proxy.
 */
const proxyAddress = z
  .union([z.enum(proxyNames), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], expectedProxy)
  .refine((text) => !text.endsWith('/0'), expectedProxy);

/** In characters. A shorter secret could be guessed. `npm start` generates secrets of 32 random bytes. */
const minSecretLength = 32;
const expectedSecret = `a secret of at least ${minSecretLength} characters`;
const secret = z.string().min(minSecretLength, expectedSecret);

export const environmentSchema = z.object({
  PORT: integer(0, 65_535).prefault('3000').describe('Port of the API. 0 selects a free port.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address on which the API listens. Plain HTTP is served on loopback addresses only.'),
  TLS_CERT: z.string().optional().describe('Path of the certificate for HTTPS (PEM).'),
  TLS_KEY: z.string().optional().describe('Path of the key of TLS_CERT (PEM).'),
  TRUSTED_PROXIES: list(proxyAddress)
    .prefault('')
    .describe(
      'Addresses or CIDR ranges (also loopback, linklocal, uniquelocal) of proxies in front of the API. They serve HTTPS and set X-Forwarded-Proto. PUBLIC_URL is then their address.',
    ),
  DISABLED_FEATURES: list(oneOf(features))
    .prefault('')
    .describe(
      'Features that are turned off in this process. With `upload-sessions`, creating a session, missing-blobs and commit answer 501. With `render-jobs`, reading the state of a job answers 501. All other operations work.',
    ),
  PUBLIC_URL: webAddress
    .optional()
    .describe(
      'Address by which clients reach the API, without /v1. Required with TRUSTED_PROXIES and if HOST is 0.0.0.0 or ::.',
    ),
  DATABASE_URL: databaseAddress.describe('PostgreSQL 15 or later.'),
  DATABASE_POOL: integer(2, 100)
    .prefault('10')
    .describe('Maximum number of PostgreSQL connections of one process.'),
  AZURE_STORAGE_CONNECTION_STRING: z
    .string()
    .optional()
    .describe('Connection string of Azure Blob Storage, with the account key.'),
  AZURE_STORAGE_ACCOUNT: z
    .string()
    .optional()
    .describe('Name of the account of Azure Blob Storage, for access by managed identity.'),
  BLOB_CONTAINER: z
    .string()
    .regex(
      /^[a-z0-9](-?[a-z0-9]){2,62}$/,
      'a container name of Azure: 3 to 63 lower-case letters, digits and single hyphens',
    )
    .default('documents')
    .describe('Container for files, packs and PDFs. It is created if it is missing.'),
  BLOB_PUBLIC_URL: webAddress
    .optional()
    .describe(
      'Address of the blob service in signed links, if clients use another one than this process.',
    ),
  TEMPORAL_ADDRESS: hostAndPort
    .default('127.0.0.1:7233')
    .describe('Frontend of the Temporal service.'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Namespace of the workflows.'),
  TEMPORAL_API_KEY: z.string().optional().describe('API key of Temporal Cloud.'),
  TEMPORAL_TLS_CERT: z
    .string()
    .optional()
    .describe('Path of a client certificate for Temporal (PEM).'),
  TEMPORAL_TLS_KEY: z.string().optional().describe('Path of the key of TEMPORAL_TLS_CERT (PEM).'),
  TEMPORAL_UI_URL: webAddress
    .optional()
    .describe('Address of the Temporal UI, for links to the workflows of jobs.'),
  SECRET_KEY: list(secret, `required, ${expectedSecret}`)
    .refine(
      (keys) => keys.length >= 1 && keys.length <= 2,
      'one secret, or two separated by a comma during a rotation',
    )
    .describe(
      'Secret that signs upload tokens, cursors and sessions, and encrypts webhook secrets and permanent links. During a rotation, give two, the new one first. Remove the former one when the clean-up has encrypted everything again (`resealedSecrets` is 0).',
    ),
  ADMIN_TOKEN: secret
    .optional()
    .describe(
      'Token with which internal tools and operators call the admin router. Without it, only people who sign in can call it.',
    ),
  OIDC_ISSUER: webAddress
    .optional()
    .describe('Identity provider (OpenID Connect) with which invited people can sign in.'),
  OIDC_CLIENT_ID: z
    .string()
    .optional()
    .describe('Client id of this service at the identity provider.'),
  OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('Client secret of this service at the identity provider.'),
  RENDERER_ENGINE: oneOf(['pipe', 'playwright'])
    .default('pipe')
    .describe(
      'How the worker controls Chromium: `pipe` sends commands on its DevTools pipe, `playwright` uses Playwright, which prints the same and is slower.',
    ),
  CHROMIUM_PATH: z
    .string()
    .optional()
    .describe(
      'Path of the Chromium that prints. The headless shell is 3.5 times as fast as the full browser. Required for the worker, except with RENDERER_ENGINE=playwright, which finds the browser that Playwright installed.',
    ),
  RENDERER_SLOTS: integer(1, 256)
    .optional()
    .describe(
      'Number of documents that a worker prints at once. The default is the number of cores.',
    ),
  RENDERER_BROWSERS: integer(1, 1_024)
    .optional()
    .describe(
      'Number of browsers that a worker keeps running. Each serves one workspace only. The default is eight times the slots, or fewer if the memory is small.',
    ),
  RENDERER_MEMORY_MB: integer(128, 1_048_576)
    .prefault('1536')
    .describe('Memory that one browser may use before its job is ended, in MiB.'),
  RENDERER_ALLOW_NO_SANDBOX: flag
    .prefault('0')
    .describe("1 prints without Chromium's sandbox. Use it only if every document is trusted."),
  RENDERER_WORK_FOLDER: z
    .string()
    .optional()
    .describe(
      'Folder for the temporary files of the browsers. It is emptied when the worker starts.',
    ),
  RENDER_RETRY_DELAYS: durations
    .prefault('5s,20s')
    .describe('Delays before the retries of a crashed or slow render, ± 20 %.'),
  WEBHOOK_RETRY_SCHEDULE: durations
    .prefault('0s,5s,5m,30m,2h,5h,10h,14h,20h,24h')
    .describe(
      'Delays before each attempt to deliver a webhook. The first is exact, the others vary by ± 10 %.',
    ),
  EGRESS_ALLOW: list(hostAndPort)
    .prefault('')
    .describe(
      'Private addresses (host:port, comma-separated) that pages, url deploys and webhooks may reach. Webhooks may reach them by plain HTTP, too.',
    ),
  PLANS_FILE: z.string().optional().describe('JSON file that replaces the built-in plans.'),
  UPLOAD_SESSION_TTL: duration
    .prefault('1h')
    .describe(
      'How long an upload session stays open. The time starts again after each failed commit.',
    ),
  TRANSIENT_OUTPUT_TTL: duration.prefault('24h').describe('How long a transient output is kept.'),
  CLEAN_UP_INTERVAL: duration
    .prefault('5m')
    .describe('How often expired sessions, outputs, files and keys are removed.'),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('Lowest level of log lines that are written.'),
});

export type Environment = z.output<typeof environmentSchema>;
