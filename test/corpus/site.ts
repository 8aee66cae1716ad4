import { mimeOf } from '../../store/deploys/file-types.ts';
import { type CorpusDocument, usualPayload } from './document.ts';
import { type FileMap, packagesOf } from './packages.ts';

/** A document as it is served: by the service's proxy, and by the server of the reference. */
export interface Site {
  readonly name: string;
  readonly files: FileMap;
  readonly payload: Uint8Array;
  has(path: string): boolean;
  /** Undefined: there is no such file. Never resolves for what is below `hang/`. */
  read(path: string): Promise<{ bytes: Uint8Array; mime: string } | undefined>;
}

/** Files below this folder are asked for and never come, as from a server that hangs. */
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
