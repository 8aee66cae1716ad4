import { secondMs } from '../../contracts/units.ts';
import type { ExceptionDetails, ObjectPreview, RemoteObject } from '../cdp/cdp-connection.ts';

/** Read of what a page throws or logs: more is cut anyway, and its author may mean harm. */
const maxReadLength = 4_096;

/** A value of the page as its author knows it: text as it is, an error by its message, an object by its properties. */
export function describeValue(value: RemoteObject): string {
  const { subtype, preview, description } = value;
  if (subtype === 'error') return withoutStack(description ?? 'Error');
  if (preview && subtype !== 'regexp' && subtype !== 'date') return describePreview(preview);
  return String(value.value ?? value.unserializableValue ?? description ?? subtype ?? value.type);
}

/** Says what a script threw or rejected with, and where in the files of the document. */
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
  // A script without an address is one of ours, or was evaluated by the page.
  const place = frames.find(({ file }) => file !== '');
  return place ? `${message} (${publicUrl(place.file, origin)}:${place.at})` : message;
}

/** Path alone inside the document, without query outside it: queries hold tokens. */
export function publicUrl(text: string, origin: string): string {
  const url = URL.parse(text);
  if (!url) return 'a request';
  // Blob, data and about have no host.
  if (url.host === '') return url.protocol;
  if (url.origin === origin) return url.pathname;
  return `${url.origin}${url.pathname}`;
}

/** Seconds since a `performance.now()`, such as `2.1 s`. */
export const secondsSince = (beganAt: number): string =>
  `${((performance.now() - beganAt) / secondMs).toFixed(1)} s`;

/** The first of a list, and how many more there are. */
export function nameSome(names: readonly (string | number)[], most: number): string {
  const named = names.slice(0, most).join(', ');
  return names.length > most ? `${named} and ${names.length - most} more` : named;
}

/** Text of Chromium's with every address in it as {@link publicUrl} writes it. */
export const withPublicUrls = (text: string, origin: string): string =>
  text
    .slice(0, maxReadLength)
    .replace(/\b(?:https?|wss?|blob|data):[^\s'"]+/g, (url) => publicUrl(url, origin));

/** Stacks name our addresses and no more than the place does. */
const withoutStack = (description: string): string => description.split('\n    at ')[0] ?? '';

function describePreview({ subtype, properties, overflow, description }: ObjectPreview): string {
  if (properties.length === 0) return description ?? '{}';
  const isArray = subtype === 'array' || subtype === 'typedarray';
  const parts = properties.map(({ name, value }) => (isArray ? value : `${name}: ${value}`));
  if (overflow) parts.push('…');
  return isArray ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
}
