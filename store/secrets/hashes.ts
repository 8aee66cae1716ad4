import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Hashes a key or a token. The hash is stored, and the row is found by it. A plain hash is enough, because text of 178 random
 * bits or more cannot be guessed.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * Compares secrets in constant time, so that the duration does not show where they differ. It compares hashes, because
 * `timingSafeEqual` needs inputs of the same length.
 */
export const isSameSecret = (expected: string, actual: string): boolean =>
  timingSafeEqual(hashSecret(expected), hashSecret(actual));
