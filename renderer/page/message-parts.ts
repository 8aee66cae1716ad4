import { secondMs } from '../../contracts/units.ts';
import type { ExceptionDetails, ObjectPreview, RemoteObject } from '../cdp/cdp-connection.ts';

/** At most this many characters of a page's error are read. Messages are cut anyway, and a hostile page may throw very long ones. */
const maxReadLength = 4_096;

/** Describes a value as the author of the page knows it: text as it is, an error by its message, an object by its properties. */
export function describeValue(value: RemoteObject): string {
  const { subtype, preview, description } = value;
  if (subtype === 'error') return withoutStack(description ?? 'Error');
  if (preview && subtype !== 'regexp' && subtype !== 'date') return describePreview(preview);
  return String(value.value ?? value.unserializableValue ?? description ?? subtype ?? value.type);
}

/** Describes the error that a script threw or rejected with, and its place in the files of the document. */
export function describeException(
  { exception, text, url, lineNumber, columnNumber, stackTrace }: ExceptionDetails,
  origin: string,
): string {
  const message = withPublicUrls(exception ? describeValue(exception) : text, origin);
  const stack = (exception?.description ?? '').slice(0, maxReadLength);
  const frames = [
    ...[...stack.matchAll(/(https?:\/\/[^\s()]{1,2048}):(\d+):(\d+)/g)].map(
      ([, file = '', line = '', column = '']) => ({ file, at: `${line}:${column}` }),
    ),
    ...(stackTrace?.callFrames ?? []).map((frame) => ({
      file: frame.url,
      at: `${frame.lineNumber + 1}:${frame.columnNumber + 1}`,
    })),
    { file: url ?? '', at: `${lineNumber + 1}:${columnNumber + 1}` },
  ];
  // A script without an address is one of the renderer's, or was evaluated by the page.
  const place = frames.find(({ file }) => file !== '');
  return place ? `${message} (${publicUrl(place.file, origin)}:${place.at})` : message;
}

/** Shortens an address for a message. Its query is dropped, because queries contain tokens, and so is the origin of the document. */
export function publicUrl(text: string, origin: string): string {
  const url = URL.parse(text);
  if (!url) return 'a request';
  // Addresses of blob:, data: and about: have no host.
  if (url.host === '') return url.protocol;
  if (url.origin === origin) return url.pathname;
  return `${url.origin}${url.pathname}`;
}

/** Formats the seconds since a `performance.now()`, such as `2.1 s`. */
export const secondsSince = (startedAt: number): string =>
  `${((performance.now() - startedAt) / secondMs).toFixed(1)} s`;

/** Lists the first `max` items, and says how many more there are. */
export function listFirst(items: readonly (string | number)[], max: number): string {
  const listed = items.slice(0, max).join(', ');
  return items.length > max ? `${listed} and ${items.length - max} more` : listed;
}

/** Shortens every address in a text from Chromium with {@link publicUrl}. */
export const withPublicUrls = (text: string, origin: string): string =>
  text
    .slice(0, maxReadLength)
    .replace(/\b(?:https?|wss?|blob|data):[^\s'"]+/g, (url) => publicUrl(url, origin));

/** Stack traces contain internal addresses. The place of the error is added separately. */
const withoutStack = (description: string): string => description.split('\n    at ')[0] ?? '';

function describePreview({ subtype, properties, overflow, description }: ObjectPreview): string {
  if (properties.length === 0) return description ?? '{}';
  const isArray = subtype === 'array' || subtype === 'typedarray';
  const parts = properties.map(({ name, value }) => (isArray ? value : `${name}: ${value}`));
  if (overflow) parts.push('…');
  return isArray ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
}
