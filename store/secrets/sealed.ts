import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { hashSecret } from './tokens.ts';

/** Secrets that are kept encrypted, because they are needed again. */

/** A key for one purpose, from each of `SECRET_KEY`, the current one first. */
export const deriveKeys = (secretKeys: readonly string[], purpose: string): Buffer[] =>
  secretKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));

/** 256 bits, twice what the contract asks for a public link. */
const linkTokenBytes = 32;

/** Tokens of permanent links: found by their hash, kept encrypted, because lists show the link again. */
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

/** Standard Webhooks asks for 24 to 64 bytes. */
const webhookSecretBytes = 32;

/** Secrets that webhooks are signed with: kept encrypted, because each signature needs them. */
export interface WebhookSecrets extends Resealing {
  create(): { readonly secret: string; readonly sealed: Buffer };
  open(sealed: Buffer): string;
}

export function createWebhookSecrets(secretKeys: readonly string[]): WebhookSecrets {
  const { seal, open, ...resealing } = createSealer(secretKeys, 'webhook-secret');
  return {
    create() {
      const secret = `whsec_${randomBytes(webhookSecretBytes).toString('base64')}`;
      return { secret, sealed: seal(secret) };
    },
    open,
    ...resealing,
  };
}

/** AES-256-GCM's usual sizes. */
const nonceBytes = 12;
const tagBytes = 16;
/** Hexadecimal digits, enough to tell a handful of keys apart. */
const keyIdLength = 16;

/** How what a former key has sealed comes under the current one. */
interface Resealing {
  /** Names the current key and tells nothing of it; stored beside what it seals. */
  readonly keyId: string;
  reseal(sealed: Buffer): Buffer;
}

interface Sealer extends Resealing {
  seal(text: string): Buffer;
  /** @throws Error when none of the secret keys opens it: the operator has dropped a key too early. */
  open(sealed: Buffer): string;
}

/** Encrypts small secrets at rest with the first of `SECRET_KEY`, and opens what any of them has sealed. */
function createSealer(secretKeys: readonly string[], purpose: string): Sealer {
  const keys = deriveKeys(secretKeys, purpose);
  const [current = Buffer.alloc(0)] = keys;
  const seal = (text: string): Buffer => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', current, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  };
  const open = (sealed: Buffer): string => {
    for (const key of keys) {
      const opened = tryToOpen(key, sealed);
      if (opened !== undefined) return opened;
    }
    throw new Error(
      'No key of SECRET_KEY opens what was sealed: give the former key as the second.',
    );
  };
  return {
    keyId: createHash('sha256').update(current).digest('hex').slice(0, keyIdLength),
    seal,
    open,
    reseal: (sealed) => seal(open(sealed)),
  };
}

function tryToOpen(key: Buffer, sealed: Buffer): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(nonceBytes + tagBytes)),
      decipher.final(),
    ]).toString();
  } catch {
    return undefined;
  }
}
