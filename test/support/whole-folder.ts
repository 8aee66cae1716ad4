import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Defines a suite about what all other suites of its folder did together, such as which errors occurred. It runs after them,
 * independently of the names of the files. It is skipped unless every test of the folder ran: `npm test -- test/api`.
 *
 * @param file the file that calls this: `import.meta.filename`
 */
export function describeAfterFolder(
  title: string,
  file: string,
  define: (this: Mocha.Suite) => void,
): void {
  const folder = dirname(file);
  const whole = describe(title, function () {
    before(function () {
      if (!hasWholeFolderRun(whole, folder)) this.skip();
    });
    define.call(this);
  });
  // Mocha runs this before all suites, and reads their order only then.
  before(() => moveBehindFolder(whole, folder));
}

/** The suites of the files in the folder, without `whole` itself. */
const suitesOfFolder = (whole: Mocha.Suite, folder: string): Mocha.Suite[] =>
  rootOf(whole).suites.filter(
    (suite) => suite !== whole && suite.file !== undefined && dirname(suite.file) === folder,
  );

const rootOf = ({ parent }: Mocha.Suite): Mocha.Suite => {
  if (!parent?.root) throw new Error('The suite must be outside of all others.');
  return parent;
};

function moveBehindFolder(whole: Mocha.Suite, folder: string): void {
  const { suites } = rootOf(whole);
  const last = suitesOfFolder(whole, folder).at(-1);
  if (!last) return;
  suites.splice(suites.indexOf(whole), 1);
  suites.splice(suites.indexOf(last) + 1, 0, whole);
}

/** False where Mocha was given only some of the files, or a filter (`-g`, `.only`) left tests out. */
function hasWholeFolderRun(whole: Mocha.Suite, folder: string): boolean {
  const suites = suitesOfFolder(whole, folder);
  const files = new Set([whole, ...suites].map(({ file }) => file));
  const inFolder = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  return files.size === inFolder.length && suites.every(hasRun);
}

const hasRun = ({ tests, suites }: Mocha.Suite): boolean =>
  tests.every((test) => test.state !== undefined || test.isPending()) && suites.every(hasRun);
