import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { defaultPlans, type PlanCatalogue, planCatalogueSchema } from '../contracts/plans.ts';
import type { Feature } from '../contracts/rest/route.ts';
import { MiB } from '../contracts/units.ts';
import { type Environment, environmentSchema } from './environment.ts';

/** The configuration of one process. It is parsed once at the start and frozen. */
export interface Config {
  readonly logLevel: Environment['LOG_LEVEL'];
  readonly http: {
    readonly port: number;
    readonly host: string;
    /** The URL by which clients reach the API, without /v1. Undefined if that is the address on which the API listens. */
    readonly publicUrl: string | undefined;
    readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
    /** If empty, no proxy is trusted. */
    readonly trustedProxies: readonly string[];
  };
  readonly disabledFeatures: readonly Feature[];
  readonly database: { readonly url: string; readonly poolSize: number };
  readonly blobs:
    | {
        readonly provider: 'azure';
        /** A connection string contains the account key. With an account name, the process uses its managed identity. */
        readonly account: { readonly connectionString: string } | { readonly accountName: string };
        readonly container: string;
        /** The address of the blob service in links. Undefined if clients reach it by the same address as the service. */
        readonly publicUrl: string | undefined;
      }
    /** No storage is configured. Requests that need a storage are answered with 503. */
    | { readonly provider: 'none' };
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly apiKey: string | undefined;
    /** The address of the Temporal UI for links, without a trailing slash. */
    readonly uiUrl: string | undefined;
    readonly clientCertificate: { readonly crt: Buffer; readonly key: Buffer } | undefined;
  };
  /** The first key signs and encrypts. Signatures and secrets of the others are still accepted. */
  readonly secretKeys: readonly string[];
  /** If undefined, the admin router accepts no token. */
  readonly adminToken: string | undefined;
  /** An identity provider of OpenID Connect. */
  readonly identityProvider:
    | { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
    | undefined;
  readonly renderer: {
    readonly engine: Environment['RENDERER_ENGINE'];
    readonly executablePath: string | undefined;
    readonly slots: number;
    readonly browsers: number;
    readonly memoryLimitBytes: number;
    readonly allowNoSandbox: boolean;
    readonly workFolder: string;
  };
  readonly egressAllow: readonly string[];
  readonly renderRetryDelaysMs: readonly number[];
  readonly webhookRetryScheduleMs: readonly number[];
  readonly uploadSessionTtlMs: number;
  readonly transientOutputTtlMs: number;
  readonly cleanUpIntervalMs: number;
  readonly plans: PlanCatalogue;
}

/** Thrown at the start. The message names the wrong variables and what they must be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the environment into one frozen object.
 *
 * @throws ConfigError. It names all variables that are missing or malformed. If there are none, it names the first variables
 *   that do not fit together, or whose file cannot be read.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = environmentSchema.safeParse(withoutEmpty(environment));
  if (!parsed.success) throw new ConfigError(explain(parsed.error));
  return deepFreeze(toConfig(parsed.data));
}

function toConfig(env: Environment): Config {
  const slots = env.RENDERER_SLOTS ?? availableParallelism();
  const browsers = env.RENDERER_BROWSERS ?? defaultBrowsers(slots);
  if (browsers < slots)
    throw new ConfigError(
      `RENDERER_BROWSERS (${browsers}) must be at least RENDERER_SLOTS (${slots}).`,
    );
  return {
    logLevel: env.LOG_LEVEL,
    http: toHttp(env),
    disabledFeatures: env.DISABLED_FEATURES,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL },
    blobs: toBlobs(env),
    temporal: {
      address: env.TEMPORAL_ADDRESS,
      namespace: env.TEMPORAL_NAMESPACE,
      apiKey: env.TEMPORAL_API_KEY,
      uiUrl: env.TEMPORAL_UI_URL?.replace(/\/+$/, ''),
      clientCertificate: readKeyPair(env, 'TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY'),
    },
    secretKeys: env.SECRET_KEY,
    adminToken: env.ADMIN_TOKEN,
    identityProvider: toIdentityProvider(env),
    renderer: {
      engine: env.RENDERER_ENGINE,
      executablePath: env.CHROMIUM_PATH,
      slots,
      browsers,
      memoryLimitBytes: env.RENDERER_MEMORY_MB * MiB,
      allowNoSandbox: env.RENDERER_ALLOW_NO_SANDBOX,
      workFolder: env.RENDERER_WORK_FOLDER ?? join(tmpdir(), `document-renderer-${process.pid}`),
    },
    egressAllow: env.EGRESS_ALLOW,
    renderRetryDelaysMs: env.RENDER_RETRY_DELAYS,
    webhookRetryScheduleMs: env.WEBHOOK_RETRY_SCHEDULE,
    uploadSessionTtlMs: env.UPLOAD_SESSION_TTL,
    transientOutputTtlMs: env.TRANSIENT_OUTPUT_TTL,
    cleanUpIntervalMs: env.CLEAN_UP_INTERVAL,
    plans: env.PLANS_FILE ? readPlans(env.PLANS_FILE) : defaultPlans,
  };
}

/** A safe estimate of the memory of an idle browser. All idle browsers together may use a quarter of the machine's memory. */
const bytesOfIdleBrowser = 150 * MiB;
const browsersShareOfMemory = 1 / 4;
/** More browsers do not help: if more workspaces share a slot, each gets so little of it that relaunches do not matter. */
const maxBrowsersPerSlot = 8;

/**
 * Returns the default number of browsers that a worker keeps running. Each workspace needs a browser of its own, so more
 * browsers mean fewer relaunches when workspaces alternate. With ten workspaces on two slots, 4 browsers print 1.9 jobs/s and
 * 12 print 4.8 [measured].
 */
function defaultBrowsers(slots: number): number {
  const affordable = Math.floor((totalmem() * browsersShareOfMemory) / bytesOfIdleBrowser);
  return Math.max(slots, Math.min(affordable, maxBrowsersPerSlot * slots));
}

/** A server on one of these addresses listens on all addresses, so it has no single address to put into links. */
const wildcardAddresses = new Set(['0.0.0.0', '::']);

/** True for IP addresses only: `localhost` is a name. */
const isLoopbackAddress = (host: string): boolean =>
  host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/**
 * Plain HTTP is for clients on this machine and for trusted proxies (REST 5). All others need HTTPS, from this process or from
 * a proxy.
 */
function toHttp(env: Environment): Config['http'] {
  const tls = readKeyPair(env, 'TLS_CERT', 'TLS_KEY');
  const isLoopback = env.HOST === 'localhost' || isLoopbackAddress(env.HOST);
  const isProxied = env.TRUSTED_PROXIES.length > 0;
  if (!tls && !isLoopback && !isProxied)
    throw new ConfigError(
      `HOST: ${env.HOST} is not a loopback address. Set TLS_CERT and TLS_KEY, or TRUSTED_PROXIES.`,
    );
  if (isProxied && !env.PUBLIC_URL?.startsWith('https:'))
    throw new ConfigError(
      'PUBLIC_URL is used in links and cookies. With TRUSTED_PROXIES, set it to the address of the proxies, which starts with https:.',
    );
  if (wildcardAddresses.has(env.HOST) && !env.PUBLIC_URL)
    throw new ConfigError(
      `PUBLIC_URL is used in links. With HOST ${env.HOST}, set it to the address by which clients reach the API.`,
    );
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    tls: tls && { cert: tls.crt, key: tls.key },
    trustedProxies: env.TRUSTED_PROXIES,
  };
}

function toIdentityProvider(env: Environment): Config['identityProvider'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (!issuer && !clientId && !clientSecret) return undefined;
  if (!issuer || !clientId || !clientSecret)
    throw new ConfigError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all or none.',
    );
  return { issuer: issuer.replace(/\/+$/, ''), clientId, clientSecret };
}

/** A connection string wins over the name of an account. */
function toBlobs(env: Environment): Config['blobs'] {
  const { AZURE_STORAGE_CONNECTION_STRING: connectionString, AZURE_STORAGE_ACCOUNT: accountName } =
    env;
  const account = connectionString
    ? { connectionString }
    : accountName
      ? { accountName }
      : undefined;
  if (!account) return { provider: 'none' };
  return {
    provider: 'azure',
    account,
    container: env.BLOB_CONTAINER,
    publicUrl: env.BLOB_PUBLIC_URL,
  };
}

/**
 * Reads the files of a certificate and its key, whose paths are in two variables. Returns undefined if neither is set.
 *
 * @throws ConfigError if only one is set or a file cannot be read
 */
function readKeyPair<C extends keyof Environment, K extends keyof Environment>(
  env: Environment,
  certificate: C,
  key: K,
): { crt: Buffer; key: Buffer } | undefined {
  const [certificateFile, keyFile] = [env[certificate], env[key]];
  if (!certificateFile && !keyFile) return undefined;
  if (!certificateFile || !keyFile)
    throw new ConfigError(`${certificate} and ${key} belong together: set both or none.`);
  return {
    crt: readNamedFile(certificate, String(certificateFile)),
    key: readNamedFile(key, String(keyFile)),
  };
}

function readPlans(file: string): PlanCatalogue {
  const parsed = planCatalogueSchema.safeParse(
    parsePlansFile(file, readNamedFile('PLANS_FILE', file)),
  );
  if (!parsed.success)
    throw new ConfigError(`PLANS_FILE ${file}:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function parsePlansFile(file: string, content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch (error) {
    throw new ConfigError(`PLANS_FILE ${file} is not JSON.`, { cause: error });
  }
}

function readNamedFile(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigError(`${variable} names a file that cannot be read: ${path}`, {
      cause: error,
    });
  }
}

/** Removes empty variables. Shells and compose files leave variables empty that are not set. */
const withoutEmpty = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

/** Lists the wrong variables and what is expected. It leaves the actual values out, because they may be secrets. */
function explain(error: z.ZodError): string {
  const lines = error.issues.map(
    (issue) => `  ${issue.path[0]?.toString() ?? '?'}: ${issue.message}`,
  );
  return [
    'The configuration is not valid. Correct these environment variables (docs/configuration.md):',
    // Two entries of one list may have the same error.
    ...new Set(lines),
  ].join('\n');
}

function deepFreeze<T>(value: T): T {
  if (
    typeof value === 'object' &&
    value !== null &&
    !Buffer.isBuffer(value) &&
    !Object.isFrozen(value)
  ) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
