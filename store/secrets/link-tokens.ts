import { randomBytes } from 'node:crypto';
import { hashSecret } from './hashes.ts';
import { createSealer, type Resealing } from './sealer.ts';

/** 256 bits, twice what the contract requires of a public link. */
const linkTokenBytes = 32;

/** Tokens of permanent links. A link is found by the hash of its token. The token is stored encrypted, because lists show the link again. */
export interface LinkTokens extends Resealing {
  create(): { readonly token: string; readonly hash: Buffer; readonly sealed: Buffer };
  hash(token: string): Buffer;
  open(sealed: Buffer): string;
}

export function createLinkTokens(secretKeys: readonly string[]): LinkTokens {
  const { seal, open, ...resealing } = createSealer(secretKeys, 'permanent-link');
  return {
    create() {
      const token = randomBytes(linkTokenBytes).toString('base64url');
      return { token, hash: hashSecret(token), sealed: seal(token) };
    },
    hash: hashSecret,
    open,
    ...resealing,
  };
}
