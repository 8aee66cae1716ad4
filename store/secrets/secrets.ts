import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Tokens and keys: how they are made, and how they are told genuine without being stored. */

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const apiKeyPrefix = 'drs_';
/** 30 of 62 characters are 178 bits. */
const apiKeyLength = 30;
/** A CRC-32 in base 62; lets scanners and clients tell a mistyped key from a revoked one without asking us. */
const checksumLength = 6;

const uploadTokenPrefix = 'upt_';

/** A new API key: `drs_`, 30 random characters of base 62, 6 of checksum. Shown once; only its hash is stored. */
export function createApiKey(): string {
  const random = Array.from({ length: apiKeyLength }, () => base62[randomInt(base62.length)]).join(
    '',
  );
  return `${apiKeyPrefix}${random}${checksum(random)}`;
}

/** False for what cannot be an API key at all, so that no query is spent on it. */
export const isApiKey = (text: string): boolean => {
  if (!/^drs_[0-9A-Za-z]{36}$/.test(text)) return false;
  const random = text.slice(apiKeyPrefix.length, apiKeyPrefix.length + apiKeyLength);
  return text.endsWith(checksum(random));
};

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let place = 0; place < checksumLength; place++) {
    text = base62.charAt(rest % base62.length) + text;
    rest = Math.floor(rest / base62.length);
  }
  return text;
}

/**
 * What is stored of a key or a token that is not shown again. A plain hash is enough for text of 178 random bits and more: it
 * cannot be guessed, and the row is found by it.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The token of one upload session (REST 5): an HMAC of its id, so that a replayed create can show it again. */
export interface UploadTokens {
  create(uploadSessionId: string): string;
  isValid(uploadSessionId: string, token: string): boolean;
}

export function createUploadTokens(secretKeys: readonly string[]): UploadTokens {
  const create = (key: string, id: string) =>
    uploadTokenPrefix + createHmac('sha256', key).update(`upload-token\n${id}`).digest('base64url');
  return {
    create: (id) => create(secretKeys[0] ?? '', id),
    isValid: (id, token) => secretKeys.some((key) => isEqual(create(key, id), token)),
  };
}

/**
 * Compares secrets without telling by the time it takes where they differ. Hashes have one length, which `timingSafeEqual` asks
 * for, whatever was given.
 */
export const isEqual = (expected: string, given: string): boolean =>
  timingSafeEqual(hashSecret(expected), hashSecret(given));

/** 256 bits: no token of a one-time link is guessed. */
const oneTimeTokenBytes = 32;

/** The token of an invitation or a sign-in link; only its hash is stored. */
export function createOneTimeToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(oneTimeTokenBytes).toString('base64url');
  return { token, hash: hashSecret(token) };
}

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
