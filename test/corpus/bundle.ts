import { join } from 'node:path';
import { build } from 'vite';
import { page } from './documents/page.ts';
import { type FileMap, folderOf, type PackageSet } from './packages.ts';

interface BundleOptions {
  /** Name of the script in the document, without `.js`. */
  readonly name?: string;
  /** Language of the source. `jsx` is that of React, unless the source has another pragma. */
  readonly language?: 'js' | 'jsx';
}

/**
 * Builds an app with Vite: `<name>.js`, which pages load as a module, and `<name>.css` if the app imports styles.
 *
 * @param source text of the entry module; it imports packages of the set
 */
export async function bundle(
  set: PackageSet,
  source: string,
  { name = 'app', language = 'js' }: BundleOptions = {},
): Promise<FileMap> {
  const root = folderOf(set);
  const entry = join(root, `${name}.${language}`);
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    base: './',
    mode: 'production',
    publicDir: false,
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    build: {
      write: false,
      target: 'esnext',
      minify: false,
      modulePreload: false,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      rolldownOptions: {
        input: entry,
        output: {
          entryFileNames: `${name}.js`,
          chunkFileNames: `${name}-[name].js`,
          assetFileNames: ({ names: [asset = ''] }) =>
            asset.endsWith('.css') ? `${name}.css` : 'assets/[name][extname]',
        },
      },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error('Vite built nothing.');
  return Object.fromEntries(
    result.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  );
}

/** A document with one built app. Its `index.html` has `body` and then loads the app as a module. */
export async function app(
  set: PackageSet,
  source: string,
  { body = '<div id="app"></div>', head = '' }: { body?: string; head?: string } = {},
): Promise<FileMap> {
  const files = await bundle(set, source);
  const styles = files['app.css'] ? ['app.css'] : [];
  const load = '<script type="module" src="app.js"></script>';
  return { 'index.html': page({ styles, body, head: `${head}${load}` }), ...files };
}
