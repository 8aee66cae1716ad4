import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The person who has signed in at the identity provider, as its tokens describe them. */
export interface Claims {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The person who signs in next. */
  claims: Claims;
  /** False makes all its answers 503. */
  available: boolean;
  /** How many times its discovery document was requested. */
  readonly discoveries: number;
}

const base64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts an OpenID Connect provider on loopback: authorization code flow with PKCE, signed ID tokens. */
export async function startIdentityProvider(clientId: string): Promise<IdentityProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, { nonce: string | null; challenge: string | null }>();
  let issuer = '';
  const provider = {
    claims: { sub: '', email: '', email_verified: false, name: '' } as Claims,
    available: true,
    discoveries: 0,
  };

  const idTokenOf = (nonce: string | null): string => {
    const now = Math.floor(Date.now() / 1_000);
    const payload = {
      iss: issuer,
      aud: clientId,
      iat: now,
      exp: now + 60,
      nonce,
      ...provider.claims,
    };
    const head = `${base64url({ alg: 'RS256', kid: 'test' })}.${base64url(payload)}`;
    return `${head}.${sign('sha256', Buffer.from(head), privateKey).toString('base64url')}`;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', issuer);
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/.well-known/openid-configuration') provider.discoveries++;
    if (!provider.available) answer(503, {});
    else if (url.pathname === '/.well-known/openid-configuration')
      answer(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    else if (url.pathname === '/keys') answer(200, { keys: [key] });
    else if (url.pathname === '/authorize') {
      const code = randomUUID();
      const { searchParams } = url;
      codes.set(code, {
        nonce: searchParams.get('nonce'),
        challenge: searchParams.get('code_challenge'),
      });
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      response.writeHead(302, { Location: back.href }).end();
    } else if (url.pathname === '/token') {
      const body = new URLSearchParams(await text(request));
      const issued = codes.get(body.get('code') ?? '');
      const proof = createHash('sha256')
        .update(body.get('code_verifier') ?? '')
        .digest('base64url');
      if (!issued || issued.challenge !== proof) answer(400, { error: 'invalid_grant' });
      else
        answer(200, {
          access_token: 'access',
          token_type: 'Bearer',
          expires_in: 60,
          id_token: idTokenOf(issued.nonce),
        });
    } else if (url.pathname === '/userinfo') answer(200, provider.claims);
    else answer(404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(provider, {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
