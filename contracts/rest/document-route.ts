/** A route of a version, split into the file and the rest of the page's address. */
export interface DocumentRoute {
  readonly filePath: string;
  /** From the `?` on, unchanged. Empty if the route has none. */
  readonly search: string;
  /** From the `#` on, unchanged. Empty if the route has none. */
  readonly hash: string;
}

const indexFile = 'index.html';

/**
 * Finds the file of a route (REST 4.2). A route is a path such as `index.html` or `/index.html?lang=de#top`, or a folder such as `/`
 * or `sub/`, which stands for its `index.html`. If the whole route is the path of a file, it names that file, even with `?` or `#`
 * in its name.
 *
 * @returns undefined if the document has no such file
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
