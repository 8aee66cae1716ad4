import type { WebhookAttempt } from '../contracts/admin/webhooks.ts';
import type { PostAnswer } from '../network/post.ts';
import type { WebhookMessage } from './webhook-message.ts';

/** What the log keeps of an attempt. */

const maxBodyCharacters = 4_096;
const maxHeaders = 40;
const maxHeaderCharacters = 512;

/** The request; its signature stays out. */
export const logRequest = ({
  headers: { 'webhook-signature': _, ...headers },
  body,
}: WebhookMessage): Pick<WebhookAttempt, 'requestHeaders' | 'requestBody'> => ({
  requestHeaders: { ...headers },
  requestBody: toLogText(body, maxBodyCharacters),
});

/** The answer, which may be anything, also what we sent. */
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

/** A link works by its signature, also where a receiver sends it back and encodes it once more. */
const linkSignatures = /(?<![a-z])sig(=|%(25)*3d|\\u003d|&#61;|&#x3d;)[^\s"'<>&]*/gi;

/** Cut, without links that work, and without NUL, which PostgreSQL does not store in a text. */
function toLogText(text: string, maxCharacters: number): string {
  const safe = text.replace(linkSignatures, 'sig=…').replaceAll('\0', '\ufffd');
  return safe.length > maxCharacters ? `${safe.slice(0, maxCharacters)}…` : safe;
}
