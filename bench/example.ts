import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import mime from 'mime';
import type { FolderDeploy } from '../client/deploy-folder.ts';
import { type PrintOptions, printOptionsSchema } from '../contracts/rest/schemas/print-options.ts';

/** The files and settings of a folder of examples/. */
export interface Example {
  readonly name: string;
  /** The folder that is deployed. */
  readonly folder: string;
  readonly slug: string;
  readonly render: FolderDeploy['render'];
  readonly pdf: PrintOptions;
  readonly payload: unknown;
  /** By URL path. */
  readonly files: ReadonlyMap<string, { readonly bytes: Buffer; readonly mime: string }>;
}

/** Reads a folder of examples/ with all its files. */
export async function readExample(name: string): Promise<Example> {
  const root = join(import.meta.dirname, '../examples', name);
  const folder = join(root, 'document');
  const readJson = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8'));
  const { slug, name: _, ...render } = await readJson('render.json');
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.map(async (path) => {
      const type = mime.getType(path) ?? 'application/octet-stream';
      const urlPath = `/${relative(folder, path).split(sep).join('/')}`;
      return [urlPath, { bytes: await readFile(path), mime: type }] as const;
    }),
  );
  return {
    name,
    folder,
    slug,
    render,
    pdf: printOptionsSchema.parse(render.print ?? {}),
    payload: await readJson('payload.json'),
    files: new Map(files),
  };
}
