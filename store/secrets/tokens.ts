import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
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
