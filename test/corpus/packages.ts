import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The files of a document, by path. */
export type FileMap = Record<string, string | Uint8Array>;

/** `fast` is small and has the packages that `npm test` needs, `full` has all others. */
export type PackageSet = 'fast' | 'full';

export const folderOf = (set: PackageSet): string => join(import.meta.dirname, 'packages', set);

const modulesOf = (set: PackageSet): string => join(folderOf(set), 'node_modules');

/** Reads files from the installed packages of a set. */
export interface Packages {
  readonly set: PackageSet;
  /** Reads one file, such as `chart.js/dist/chart.umd.js`. */
  file(path: string): Uint8Array;
  /** Reads all files below a folder. Their paths are `<to>/<path inside the folder>`. */
  folder(path: string, to: string, wanted?: (path: string) => boolean): FileMap;
  /** Loads a module into this process, such as a compiler. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of these packages are not installed where this is checked.
  import(path: string): Promise<any>;
}

export const packagesOf = (set: PackageSet): Packages => ({
  set,
  file: (path) => readFileSync(join(modulesOf(set), path)),
  folder: (path, to, wanted = () => true) => filesBelow(join(modulesOf(set), path), to, wanted),
  import: (path) => import(pathToFileURL(join(modulesOf(set), path)).href),
});

function filesBelow(folder: string, to: string, wanted: (path: string) => boolean): FileMap {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files
      .map((file) => [relative(folder, file).split(sep).join('/'), file] as const)
      .filter(([path]) => wanted(path))
      .map(([path, file]) => [`${to}/${path}`, readFileSync(file)]),
  );
}
