import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { hashPassword } from 'better-auth/crypto';
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node';
import { genericOAuth } from 'better-auth/plugins';
import type { Request, RequestHandler, Response } from 'express';
import { CamelCasePlugin, Kysely } from 'kysely';
import { PostgresJSDialect } from 'kysely-postgres-js';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { maxPasswordLength, minPasswordLength } from '../../contracts/admin/people.ts';
import { newId } from '../../contracts/ids.ts';
import {
  dashboardPath,
  identityProvider,
  signInPath,
} from '../../contracts/processes/web-addresses.ts';
import { dayMs, secondMs } from '../../contracts/units.ts';
import { isReachable } from '../../store/database/connection.ts';
import { databaseUnavailable } from '../../store/database/errors.ts';
import { isInvited } from '../../store/people/invitations.ts';
import { deriveKeys } from '../../store/secrets/sealer.ts';
import type { Store } from '../../store/store.ts';
import { oneTimeLinks } from './one-time-links.ts';
import { passwordChanges } from './password-changes.ts';

/** Sign-in of people: better-auth on our tables, with the options below. */
export interface SignIn {
  /** Answers the requests that `createSignInRoutes` passes on. */
  readonly handle: RequestHandler;
  /** Finds the user of the session cookie and renews the cookie. Undefined without a valid session. */
  findPerson(request: Request, response: Response): Promise<SignedInUser | undefined>;
  hashPassword(password: string): Promise<string>;
  /** True if an identity provider is configured. */
  readonly hasIdentityProvider: boolean;
}

/** The user of a session. */
interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly operator: boolean;
}

export interface SignInDependencies {
  readonly config: Config;
  readonly store: Store;
  readonly log: Logger;
  readonly publicUrl: () => string;
}

/** Rate limit against guessing of passwords and tokens: at most `max` requests of one IP address in `window` seconds. */
const guessingRateLimit = { window: 60, max: 10 };

const sessionLifetimeSeconds = (7 * dayMs) / secondMs;
/** Each use of a session prolongs it, but its row is written at most once in this time. */
const sessionUpdateSeconds = dayMs / secondMs;

/** better-auth reads the IP address of the client from this header. The header is always overwritten, so a client cannot set it. */
const addressHeader = 'x-client-address';

export function createSignIn(dependencies: SignInDependencies): SignIn {
  const getAuth = createAuthGetter(dependencies);
  return {
    handle: (request, response, next) => {
      request.headers[addressHeader] = request.ip ?? '';
      toNodeHandler(getAuth())(request, response).catch(next);
    },
    async findPerson(request, response) {
      if (request.headers.cookie === undefined) return undefined;
      const query = { headers: fromNodeHeaders(request.headers), returnHeaders: true } as const;
      const { response: session, headers } = await getAuth()
        .api.getSession(query)
        .catch(async (error: unknown) => {
          // The error of better-auth does not contain its cause.
          throw (await isReachable(dependencies.store.sql)) ? error : databaseUnavailable(error);
        });
      for (const cookie of headers.getSetCookie()) response.append('Set-Cookie', cookie);
      return session?.user as SignedInUser | undefined;
    },
    hashPassword,
    hasIdentityProvider: dependencies.config.identityProvider !== undefined,
  };
}

type Auth = ReturnType<typeof createAuth>;

/** Pause between two tries to reach an identity provider that did not answer. */
const providerRetryMs = 5_000;

/**
 * Creates better-auth at the first request: the public address may be unknown before the API listens. better-auth asks the identity
 * provider only once, when it is created. If the provider is down, better-auth works without it and is created again in the
 * background. No request waits for it.
 */
function createAuthGetter(dependencies: SignInDependencies): () => Auth {
  const { config, log } = dependencies;
  let auth: Auth | undefined;
  let triedAt = 0;
  const hasProvider = async (candidate: Auth): Promise<boolean> =>
    !config.identityProvider || (await candidate.$context).socialProviders.length > 0;
  const retryProvider = async (current: Auth): Promise<void> => {
    if (await hasProvider(current)) return;
    const next = createAuth(dependencies);
    if (await hasProvider(next)) auth = next;
    else log.warn('the identity provider does not answer');
  };
  return () => {
    const now = Date.now();
    if (!auth) {
      auth = createAuth(dependencies);
      triedAt = now;
    } else if (now - triedAt >= providerRetryMs) {
      triedAt = now;
      retryProvider(auth).catch((err) =>
        log.warn({ err }, 'the identity provider could not be asked'),
      );
    }
    return auth;
  };
}

/** Secrets of better-auth, the current one first. The number of a secret is derived from it, so it does not change when keys rotate. */
const toSecrets = (secretKeys: readonly string[]) => {
  const numbers = deriveKeys(secretKeys, 'sign-in-number').map((key) => key.readUInt32BE());
  return deriveKeys(secretKeys, 'sign-in').map((key, index) => ({
    version: numbers[index] ?? 0,
    value: key.toString('base64url'),
  }));
};

const createAuth = ({ config, store, log, publicUrl }: SignInDependencies) => {
  const baseURL = publicUrl();
  const database = new Kysely({
    dialect: new PostgresJSDialect({ postgres: store.sql }),
    // Columns are camelCase in better-auth and snake_case in our tables.
    plugins: [new CamelCasePlugin()],
  });
  return betterAuth({
    appName: 'Document rendering service',
    baseURL,
    basePath: signInPath,
    secrets: toSecrets(config.secretKeys),
    database: { db: database, type: 'postgres', transaction: true },
    user: {
      modelName: 'users',
      additionalFields: { operator: { type: 'boolean', input: false, defaultValue: false } },
    },
    session: {
      modelName: 'userSessions',
      expiresIn: sessionLifetimeSeconds,
      updateAge: sessionUpdateSeconds,
    },
    // better-auth links an account to one of the provider only if both sides have verified the address. Keep this default: the
    // inviter knows the link of an invitation too, so an account that was made by a link does not prove who owns the address.
    account: { modelName: 'userAccounts', encryptOAuthTokens: true },
    verification: { modelName: 'userVerifications' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength,
      maxPasswordLength,
    },
    databaseHooks: {
      user: {
        create: {
          // Only a sign-in by an identity provider creates users here. It needs a verified address and an invitation.
          before: async ({ email, emailVerified }) =>
            emailVerified && (await isInvited(store.sql, email, Date.now())) ? undefined : false,
        },
      },
    },
    rateLimit: {
      enabled: true,
      storage: 'database',
      modelName: 'signInRateLimits',
      customRules: {
        '/sign-in/*': guessingRateLimit,
        '/accept-invitation': guessingRateLimit,
        '/one-time-link': guessingRateLimit,
        '/change-password': guessingRateLimit,
      },
    },
    advanced: {
      cookiePrefix: 'drs',
      useSecureCookies: baseURL.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: {
        generateId: ({ model }) => (model === 'user' ? newId('user') : crypto.randomUUID()),
      },
    },
    // The service may have several host names. `requireSameOrigin` has already compared the origin with the request.
    trustedOrigins: (request) => (request ? [new URL(request.url).origin] : []),
    telemetry: { enabled: false },
    // Page for errors of an identity provider if the request named no other page.
    onAPIError: { errorURL: `${baseURL}${dashboardPath}/sign-in` },
    // Text after a colon may come from the client, for example a rejected address. It is not logged.
    logger: { log: (level, message) => log[level](message.split(':', 1)[0]) },
    plugins: [
      oneTimeLinks({ sql: store.sql, plans: config.plans }),
      passwordChanges({ sql: store.sql }),
      ...identityProviderPlugin(config.identityProvider),
    ],
  } satisfies BetterAuthOptions);
};

const identityProviderPlugin = (provider: Config['identityProvider']) =>
  provider
    ? [
        genericOAuth({
          config: [
            {
              providerId: identityProvider,
              discoveryUrl: `${provider.issuer}/.well-known/openid-configuration`,
              clientId: provider.clientId,
              clientSecret: provider.clientSecret,
              scopes: ['openid', 'email', 'profile'],
              pkce: true,
            },
          ],
        }),
      ]
    : [];
