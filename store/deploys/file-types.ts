import mime from 'mime';

/** The media type of a file whose type is not known. */
export const unknownMime = 'application/octet-stream';

/** Returns the media type by the extension of the file name. Text is assumed to be UTF-8, which is the default on the web. */
export function mimeOf(path: string): string {
  const type = mime.getType(path) ?? unknownMime;
  return /^text\/|[/+](json|javascript|xml)$/.test(type) ? `${type}; charset=utf-8` : type;
}
