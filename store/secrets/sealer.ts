import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Derives a key for one purpose from each key of `SECRET_KEY`, the current one first. */
export const deriveKeys = (secretKeys: readonly string[], purpose: string): Buffer[] =>
  secretKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));

/** The usual sizes of AES-256-GCM. */
const nonceBytes = 12;
const tagBytes = 16;

/** Hexadecimal digits of a key id. They are enough to distinguish a few keys. */
const keyIdLength = 16;

/** Encrypts secrets again when the secret key was changed. */
export interface Resealing {
  /** Names the current key without revealing it. It is stored beside each sealed secret. */
  readonly keyId: string;
  /** Seals with the current key what any of the keys has sealed. */
  reseal(sealed: Buffer): Buffer;
}

interface Sealer extends Resealing {
  seal(text: string): Buffer;
  /** @throws Error if no secret key opens it: the operator has removed a key too early. */
  open(sealed: Buffer): string;
}

/** Encrypts small secrets at rest with the first key of `SECRET_KEY`, and opens what any of the keys has sealed. */
export function createSealer(secretKeys: readonly string[], purpose: string): Sealer {
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
      'No key of SECRET_KEY opens a sealed secret. Add the former key to SECRET_KEY as the second one.',
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
