import { randomBytes } from 'node:crypto';
import { createSealer, type Resealing } from './sealer.ts';

/** Standard Webhooks requires 24 to 64 bytes. */
const webhookSecretBytes = 32;

/** Secrets that sign webhooks. They are stored encrypted, because each signature needs them. */
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
