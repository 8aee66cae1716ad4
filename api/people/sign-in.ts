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

/** How people sign in: better-auth, on our tables, with what it is told below. */
export interface SignIn {
  /** Answers what `createSignInRoutes` lets through. */
  readonly handle: RequestHandler;
  /** Whoever the cookie of a session says; undefined without one that lives. One that is used is renewed by the response. */
  findPerson(request: Request, response: Response): Promise<SignedIn | undefined>;
  hashPassword(password: string): Promise<string>;
  /** An identity provider is configured. */
  readonly hasIdentityProvider: boolean;
}

interface SignedIn {
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

/** Tries of one address in a window, for what can be guessed at. */
const guessing = { window: 60, max: 10 };

const sessionLifetimeSeconds = (7 * dayMs) / secondMs;
/** A session that is used lives on; its row is written so often. */
const sessionUpdateSeconds = dayMs / secondMs;

/** In this header better-auth reads the client's address; whatever a client sends in it is overwritten. */
const addressHeader = 'x-client-address';

export function createSignIn(dependencies: SignInDependencies): SignIn {
  const auth = keepAuth(dependencies);
  return {
    handle: (request, response, next) => {
      request.headers[addressHeader] = request.ip ?? '';
      toNodeHandler(auth())(request, response).catch(next);
    },
    async findPerson(request, response) {
      if (request.headers.cookie === undefined) return undefined;
      const asked = { headers: fromNodeHeaders(request.headers), returnHeaders: true } as const;
      const { response: session, headers } = await auth()
        .api.getSession(asked)
        .catch(async (error: unknown) => {
          // better-auth keeps its cause to itself.
          throw (await isReachable(dependencies.store.sql)) ? error : databaseUnavailable(error);
        });
      for (const cookie of headers.getSetCookie()) response.append('Set-Cookie', cookie);
      return session?.user as SignedIn | undefined;
    },
    hashPassword,
    hasIdentityProvider: dependencies.config.identityProvider !== undefined,
  };
}

type Auth = ReturnType<typeof createAuth>;

/** An identity provider that did not answer is asked again no more often than this, however many requests come. */
const providerRetryMs = 5_000;

/**
 * Made with the first request: before the API listens its address may not be known. better-auth asks the identity provider only
 * once, when it is made, and does without one that is down; then another is made, beside the requests, none of which waits for it.
 */
function keepAuth(dependencies: SignInDependencies): () => Auth {
  const { config, log } = dependencies;
  let auth: Auth | undefined;
  let triedAt = 0;
  const isWhole = async (made: Auth): Promise<boolean> =>
    !config.identityProvider || (await made.$context).socialProviders.length > 0;
  const makeWhole = async (former: Auth): Promise<void> => {
    if (await isWhole(former)) return;
    const next = createAuth(dependencies);
    if (await isWhole(next)) auth = next;
    else log.warn('the identity provider does not answer');
  };
  return () => {
    const now = Date.now();
    if (!auth) {
      auth = createAuth(dependencies);
      triedAt = now;
    } else if (now - triedAt >= providerRetryMs) {
      triedAt = now;
      makeWhole(auth).catch((err) => log.warn({ err }, 'the identity provider was not asked'));
    }
    return auth;
  };
}

/** Secrets of better-auth, the current one first; each has a number of its own, which it keeps while others come and go. */
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
    // Its columns are camelCase, ours snake_case.
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
    // An account is linked to one of the provider only where both sides have verified the address, as is better-auth's default:
    // whoever invites holds the link too, so that an account made by it proves nothing about whose the address is.
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
          // Only an identity provider gets here: by it, too, nobody comes in uninvited.
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
        '/sign-in/*': guessing,
        '/accept-invitation': guessing,
        '/one-time-link': guessing,
        '/change-password': guessing,
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
    // The same page may be reached by another name of this machine; `requireSameOrigin` has compared it with the request.
    trustedOrigins: (request) => (request ? [new URL(request.url).origin] : []),
    telemetry: { enabled: false },
    // Where nothing else was agreed with whoever comes back from an identity provider.
    onAPIError: { errorURL: `${baseURL}${dashboardPath}/sign-in` },
    // What follows a colon may be the client's: an address that is refused, say.
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
