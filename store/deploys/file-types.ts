import mime from 'mime';

export const unknownMime = 'application/octet-stream';

/** By the name's ending; text is UTF-8, as everything on the web is unless it says otherwise. */
export function mimeOf(path: string): string {
  const type = mime.getType(path) ?? unknownMime;
  return /^text\/|[/+](json|javascript|xml)$/.test(type) ? `${type}; charset=utf-8` : type;
}
