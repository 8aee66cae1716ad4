import { randomBytes } from 'node:crypto';
import { hashSecret } from './hashes.ts';

/** 256 bits, so that nobody can guess the token of a one-time link. */
const oneTimeTokenBytes = 32;

/** Creates the token of an invitation or a sign-in link. Only its hash is stored. */
export function createOneTimeToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(oneTimeTokenBytes).toString('base64url');
  return { token, hash: hashSecret(token) };
}
