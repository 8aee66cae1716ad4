/** A file of the document, and what follows it in the page's address. */
export interface DocumentRoute {
  readonly filePath: string;
  /** Empty, or from its `?` on, as it was given. */
  readonly search: string;
  /** Empty, or from its `#` on, as it was given. */
  readonly hash: string;
}

const indexFile = 'index.html';

/**
 * The file that a route names (REST 4.2): `index.html`, `/index.html?lang=de#top`, or a folder, `/` or `sub/`, for its
 * `index.html`. A file whose path is the whole route is that file, also with `?` or `#` in its name.
 *
 * @returns undefined where the document has no such file
 */
export function resolveRoute(
  route: string,
  hasFile: (path: string) => boolean,
): DocumentRoute | undefined {
  const relative = route.startsWith('/') ? route.slice(1) : route;
  if (hasFile(relative)) return { filePath: relative, search: '', hash: '' };
  const hashAt = indexOrEnd(relative, '#');
  const searchAt = Math.min(indexOrEnd(relative, '?'), hashAt);
  const path = relative.slice(0, searchAt);
  const filePath = path === '' || path.endsWith('/') ? path + indexFile : path;
  if (!hasFile(filePath)) return undefined;
  return { filePath, search: relative.slice(searchAt, hashAt), hash: relative.slice(hashAt) };
}

function indexOrEnd(text: string, character: string): number {
  const index = text.indexOf(character);
  return index === -1 ? text.length : index;
}
