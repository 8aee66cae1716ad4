import { createHash } from 'node:crypto';
import { ServiceError } from '../../contracts/errors.ts';
import { canonicalJson } from '../../contracts/json.ts';
import { maxPayloadBytes } from '../../contracts/limits.ts';
import { isJsonMime } from '../../contracts/rest/schemas/payloads.ts';
import type { CreateRenderJobBody } from '../../contracts/rest/schemas/render-jobs.ts';

/** The payload of a job. */
export interface Payload {
  readonly mime: string;
  readonly bytes: Buffer;
}

/**
 * Converts the payload to what the page will get: canonical JSON, or the text or bytes of the request (REST 4.3).
 *
 * @throws ServiceError `payload_too_large`
 */
export function toPayload(
  body: Pick<CreateRenderJobBody, 'payload' | 'payloadMime' | 'payloadBase64'>,
): Payload {
  const bytes =
    body.payloadBase64 !== undefined
      ? Buffer.from(body.payloadBase64, 'base64')
      : Buffer.from(
          isJsonMime(body.payloadMime) ? canonicalJson(body.payload ?? null) : String(body.payload),
        );
  if (bytes.length > maxPayloadBytes)
    throw new ServiceError(
      'payload_too_large',
      `The payload has ${bytes.length} bytes; at most ${maxPayloadBytes} are accepted: send less.`,
    );
  return { mime: body.payloadMime, bytes };
}

/** SHA-256 of a payload in hexadecimal digits. Jobs keep it after the payload is deleted, so that a rerender can check its payload. */
export const hashPayload = ({ bytes }: Payload): string =>
  createHash('sha256').update(bytes).digest('hex');
