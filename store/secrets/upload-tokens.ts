import { createHmac } from 'node:crypto';
import { isSameSecret } from './hashes.ts';

const uploadTokenPrefix = 'upt_';

/**
 * Tokens of upload sessions (REST 5). A token is an HMAC of the session's id, so that a repeated request to create the session
 * gets the same token.
 */
export interface UploadTokens {
  create(uploadSessionId: string): string;
  isValid(uploadSessionId: string, token: string): boolean;
}

export function createUploadTokens(secretKeys: readonly string[]): UploadTokens {
  const create = (key: string, id: string) =>
    uploadTokenPrefix + createHmac('sha256', key).update(`upload-token\n${id}`).digest('base64url');
  return {
    create: (id) => create(secretKeys[0] ?? '', id),
    isValid: (id, token) => secretKeys.some((key) => isSameSecret(create(key, id), token)),
  };
}
