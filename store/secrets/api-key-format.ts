import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const apiKeyPrefix = 'drs_';
/** The number of random characters. 30 characters of base 62 have 178 bits. */
const randomLength = 30;
/** A CRC-32 in base 62. With it, scanners and clients recognize a mistyped key without a request. */
const checksumLength = 6;

/** Creates an API key: `drs_`, 30 random characters of base 62, 6 of checksum. It is shown once; only its hash is stored. */
export function createApiKey(): string {
  const random = Array.from({ length: randomLength }, () => base62[randomInt(base62.length)]).join(
    '',
  );
  return `${apiKeyPrefix}${random}${checksum(random)}`;
}

/** True if the text has the format and the checksum of an API key. If not, no query is needed. */
export const hasApiKeyFormat = (text: string): boolean => {
  if (!/^drs_[0-9A-Za-z]{36}$/.test(text)) return false;
  const random = text.slice(apiKeyPrefix.length, apiKeyPrefix.length + randomLength);
  return text.endsWith(checksum(random));
};

function checksum(random: string): string {
  let remaining = crc32(random);
  let text = '';
  for (let digit = 0; digit < checksumLength; digit++) {
    text = base62.charAt(remaining % base62.length) + text;
    remaining = Math.floor(remaining / base62.length);
  }
  return text;
}
