import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { anchorOf, readDecisions } from '../../docs/decision-lists.ts';
import { generatedPages } from '../../docs/generate.ts';

const projectFolder = join(import.meta.dirname, '../..');
const readPage = (page: string): Promise<string> => readFile(join(projectFolder, page), 'utf8');

/** Pages for readers of the repository, by their path from its root. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...(await readdir(join(projectFolder, 'docs')))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('the generated pages of the documentation', () => {
  for (const [page, describePage] of Object.entries(generatedPages))
    it(`are current: docs/${page} (else run \`npm run docs\`)`, async () => {
      expect(await readPage(`docs/${page}`)).to.equal(describePage());
    });
});

describe('the documentation', () => {
  for (const page of pages) {
    it(`names only files and folders that exist: ${page}`, async () => {
      const missing = repositoryPathsOf(await readPage(page)).filter(
        (path) => !existsSync(join(projectFolder, path)),
      );
      expect(missing).to.deep.equal([]);
    });

    it(`has only links that lead somewhere: ${page}`, async () => {
      const text = await readPage(page);
      const broken: string[] = [];
      for (const link of relativeLinksOf(text)) {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(projectFolder, target))) broken.push(link);
        else if (anchor && !anchorsOf(await readPage(target)).includes(anchor)) broken.push(link);
      }
      expect(broken).to.deep.equal([]);
    });
  }

  it('names at least one file for each decision, and only files that exist', async () => {
    const decisions = readDecisions(await readPage('docs/decisions.md'));
    expect(decisions).not.to.have.length(0);
    const wrong = decisions.filter(
      ({ files }) =>
        files.length === 0 || !files.every((file) => existsSync(join(projectFolder, file))),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('gives each decision a different title, because the lists link to it by its title', async () => {
    const anchors = anchorsOf(await readPage('docs/decisions.md'));
    expect(anchors).to.deep.equal([...new Set(anchors)]);
  });
});

describe('docs/house.md', () => {
  let house = '';
  before(async () => {
    house = await readPage('docs/house.md');
  });

  it('has the floors that the import rules enforce', () => {
    const rooms = levelsOf(house, /^\| (\d+) +\| `(\w+)\/` +\|/gm);
    const apart = [...house.matchAll(/^\| `(\w+)\/` +\|/gm)].map(([, room = '']) => room);
    const documented = Object.fromEntries(
      rooms.map(({ name }) => [name, [...notBelow(rooms, name), ...apart].sort()]),
    );
    expect(documented).to.deep.equal(forbiddenImports(/^\^(\w+)\/$/, /-stays-on-its-floor$/));
  });

  it('has the order of folders that the import rules enforce', () => {
    const folders = levelsOf(house, /^\| (\d+) +\| `(\w+\/\w+)\/` +\|/gm);
    const documented = Object.fromEntries(
      folders.map(({ name }) => {
        const room = `${dirname(name)}/`;
        const inRoom = folders.filter((folder) => folder.name.startsWith(room));
        return [name, notBelow(inRoom, name).map((other) => other.slice(room.length))];
      }),
    );
    expect(documented).to.deep.equal(forbiddenImports(/^\^(\w+\/\w+)\/$/, /-stays-below$/));
  });

  it('has a section for each room', async () => {
    const sections = [...house.matchAll(/^### (\w+)$/gm)].map(([, room]) => room);
    const rooms = levelsOf(house, /^\| (\d+) +\| `(\w+)\/` +\|/gm).map(({ name }) => name);
    expect(sections).to.include.members(
      rooms.filter((room) => existsSync(join(projectFolder, room))),
    );
  });
});

/** Paths that the documentation may name although a fresh clone does not have them: built, written by `npm start`, or reserved. */
const notInTheRepository = /^(\.data|cli|client\/dist|dashboard\/dist)\//;
const sourceFile = /\.(?:ts|tsx|mjs|cjs|sql|md)$/;

/** Paths between backticks, outside of fenced blocks, that are written as paths of this repository. */
function repositoryPathsOf(page: string): string[] {
  const spans = [...withoutFences(page).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  return spans.filter(
    (text) =>
      /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(text) &&
      !notInTheRepository.test(text) &&
      (isInAFolderOfTheProject(text) || (text.includes('/') && sourceFile.test(text))),
  );
}

const isInAFolderOfTheProject = (path: string): boolean => {
  const [folder = '', ...rest] = path.split('/');
  return rest.length > 0 && existsSync(join(projectFolder, folder));
};

/** The targets of relative links and images, outside of fenced blocks. */
function relativeLinksOf(page: string): string[] {
  const text = withoutFences(page);
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/\bsrc="([^"]+)"/g)];
  return targets.map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

const anchorsOf = (page: string): string[] =>
  [...withoutFences(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const withoutFences = (page: string): string => page.replaceAll(/^```.*?^```$/gms, '');

interface Leveled {
  readonly level: number;
  readonly name: string;
}

/** Rows of a table whose first cell is a number and whose second is a folder. */
const levelsOf = (page: string, row: RegExp): Leveled[] =>
  [...page.matchAll(row)].map(([, level, name = '']) => ({ level: Number(level), name }));

/** The others at the same level or above, which must not be imported. */
function notBelow(all: readonly Leveled[], name: string): string[] {
  const level = all.find((one) => one.name === name)?.level ?? 0;
  const others = all.filter((one) => one.name !== name && one.level >= level);
  return others.map((one) => one.name).sort();
}

interface ImportRule {
  readonly name: string;
  readonly from: { readonly path?: string };
  readonly to: { readonly path?: string };
}
const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  forbidden: readonly ImportRule[];
};

/** The rooms or folders that each one must not import, from the rules of that name: `^room/(one|other)/` forbids `one` and `other`. */
function forbiddenImports(importer: RegExp, ruleName: RegExp): Record<string, string[]> {
  const rules = forbidden.filter(({ name }) => ruleName.test(name));
  return Object.fromEntries(
    rules.map(({ from, to }) => {
      const names = /\(([\w|]*)\)/.exec(to.path ?? '')?.[1] ?? '';
      const others = names.split('|').filter((name) => name !== '');
      return [importer.exec(from.path ?? '')?.[1] ?? from.path, others.sort()];
    }),
  );
}
