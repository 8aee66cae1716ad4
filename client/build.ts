/**
 * `npm run client`: compiles the client, and what it imports of contracts/, into `client/dist/`, a package that can be packed
 * (`npm pack ./client/dist`) and published. It is JavaScript, because Node runs no TypeScript below node_modules.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const projectFolder = join(import.meta.dirname, '..');
const outputFolder = join(import.meta.dirname, 'dist');
const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc');

/** The first version of Node with `Dirent.parentPath`, which `deployFolder` uses. */
const minimumNodeVersion = '20.12.0';

/** The compiler keeps the folders `client` and `contracts`; the entry of the package lies beside them. */
const entry = "export * from './client/index.js';\n";

/** Matches the name of the module in an `import` or `export … from`, in JavaScript and in declarations. */
const importedName = /(?:\bfrom |\bimport |\bimport\()(['"])([^'"]+)\1/g;
const relativeTypeScriptName = /(['"])(\.{1,2}\/[^'"]+)\.ts\1/g;

interface RootPackage {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

function build(): void {
  rmSync(outputFolder, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, '--project', import.meta.dirname], {
    stdio: 'inherit',
  });
  if (status === 0) completePackage();
  else process.exitCode = 1;
}

/** Adds the entry, the README and package.json to the compiled files, so that they are a package. */
function completePackage(): void {
  const files = readdirSync(outputFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|d\.ts)$/.test(name))
    .map((name) => join(outputFolder, name));
  files.filter((file) => file.endsWith('.d.ts')).forEach(renameDeclarationImports);
  for (const name of ['index.js', 'index.d.ts']) writeFileSync(join(outputFolder, name), entry);
  copyFileSync(join(import.meta.dirname, 'README.md'), join(outputFolder, 'README.md'));
  const description = `${JSON.stringify(describePackage(files), null, 2)}\n`;
  // Written last: without this file the build counts as missing.
  writeFileSync(join(outputFolder, 'package.json'), description);
}

/** The compiler renames imports from `.ts` to `.js` in JavaScript only: https://github.com/microsoft/TypeScript/issues/61037 */
function renameDeclarationImports(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(relativeTypeScriptName, '$1$2.js$1'));
}

function describePackage(files: readonly string[]): object {
  const root = readRootPackage();
  return {
    name: 'document-rendering-client',
    version: root.version,
    description: 'Deploys documents to the document rendering service and renders them to PDF.',
    license: root.license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    engines: { node: `>=${minimumNodeVersion}` },
    dependencies: findDependencies(files, root),
  };
}

/** The packages that the files import, with the exact versions that the service uses. */
function findDependencies(files: readonly string[], root: RootPackage): Record<string, string> {
  const names = new Set<string>();
  for (const file of files)
    for (const [, , name = ''] of readFileSync(file, 'utf8').matchAll(importedName))
      if (!/^(\.|node:)/.test(name)) names.add(packageNameOf(name));
  const dependencies = [...names].toSorted().map((name) => {
    const version = root.dependencies[name];
    if (!version) throw new Error(`client/ imports ${name}, which package.json does not list.`);
    return [name, version] as const;
  });
  return Object.fromEntries(dependencies);
}

/** `@scope/name/file` is a part of the package `@scope/name`. */
const packageNameOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

const readRootPackage = (): RootPackage =>
  JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));

build();
