import { mimeOf } from '../../store/deploys/file-types.ts';
import { type CorpusDocument, defaultPayload } from './document.ts';
import { type FileMap, packagesOf } from './packages.ts';

/** A document as the proxy of the service and the server of the reference serve it. */
export interface Site {
  readonly name: string;
  readonly files: FileMap;
  readonly payload: Uint8Array;
  has(path: string): boolean;
  /** Never resolves for a path below `hang/`, whether or not the file exists. Else resolves with undefined if there is no such file. */
  read(path: string): Promise<{ bytes: Uint8Array; mime: string } | undefined>;
}

/** Requests for files below this folder are never answered, as by a server that hangs. */
const hangingFolder = 'hang/';

/** Creates the files and the payload of a document. */
export async function siteOf(document: CorpusDocument): Promise<Site> {
  const files = await document.files(packagesOf(document.set));
  return {
    name: document.name,
    files,
    payload: Buffer.from(JSON.stringify(document.payload ?? defaultPayload)),
    has: (path) => Object.hasOwn(files, path),
    read: async (path) => {
      if (path.startsWith(hangingFolder)) return new Promise(() => undefined);
      const content = Object.hasOwn(files, path) ? files[path] : undefined;
      if (content === undefined) return undefined;
      return { bytes: Buffer.from(content), mime: mimeOf(path) };
    },
  };
}
