import { mimeOf } from '../../store/deploys/file-types.ts';
import { type CorpusDocument, usualPayload } from './document.ts';
import { type FileMap, packagesOf } from './packages.ts';

/** The files of a document, as the service's proxy and the server of the reference serve them. */
export interface Site {
  readonly name: string;
  readonly files: FileMap;
  readonly payload: Uint8Array;
  has(path: string): boolean;
  /** Resolves to undefined if there is no such file. Never resolves for files below `hang/`. */
  read(path: string): Promise<{ bytes: Uint8Array; mime: string } | undefined>;
}

/** Requests for files below this folder never end, as from a server that hangs. */
const hangingFolder = 'hang/';

export async function siteOf(document: CorpusDocument): Promise<Site> {
  const files = await document.files(packagesOf(document.set));
  return {
    name: document.name,
    files,
    payload: Buffer.from(JSON.stringify(document.payload ?? usualPayload)),
    has: (path) => Object.hasOwn(files, path),
    read: async (path) => {
      if (path.startsWith(hangingFolder)) return new Promise(() => undefined);
      const content = Object.hasOwn(files, path) ? files[path] : undefined;
      if (content === undefined) return undefined;
      return { bytes: Buffer.from(content), mime: mimeOf(path) };
    },
  };
}
