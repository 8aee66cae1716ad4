import type { WebhookAttempt } from '../contracts/admin/webhooks.ts';
import type { PostAnswer } from '../network/post.ts';
import type { WebhookMessage } from './webhook-message.ts';

const maxBodyCharacters = 4_096;
const maxHeaders = 40;
const maxHeaderCharacters = 512;

/** The part of a request that the delivery log keeps. It has no signature. */
export const logRequest = ({
  headers: { 'webhook-signature': _, ...headers },
  body,
}: WebhookMessage): Pick<WebhookAttempt, 'requestHeaders' | 'requestBody'> => ({
  requestHeaders: { ...headers },
  requestBody: toLogText(body, maxBodyCharacters),
});

/** The part of an answer that the delivery log keeps. An answer may repeat what we sent. */
export const logAnswer = ({
  status,
  headers,
  body,
}: PostAnswer): Pick<WebhookAttempt, 'responseStatus' | 'responseHeaders' | 'responseBody'> => ({
  responseStatus: status,
  responseHeaders: Object.fromEntries(
    Object.entries(headers)
      .slice(0, maxHeaders)
      .map(([name, value]) => [
        toLogText(name, maxHeaderCharacters),
        toLogText(value, maxHeaderCharacters),
      ]),
  ),
  responseBody: toLogText(body.toString(), maxBodyCharacters),
});

/** The signatures of links, also where a receiver has encoded them once more. A link works only with its signature. */
const linkSignatures = /(?<![a-z])sig(=|%(25)*3d|\\u003d|&#61;|&#x3d;)[^\s"'<>&]*/gi;

/** Shortens a text and removes the signatures of links, and NUL, which PostgreSQL cannot store in a text. */
function toLogText(text: string, maxCharacters: number): string {
  const safe = text.replace(linkSignatures, 'sig=…').replaceAll('\0', '\ufffd');
  return safe.length > maxCharacters ? `${safe.slice(0, maxCharacters)}…` : safe;
}
