import { installFolder } from '../../dev/install/install-packages.mjs';
import { folderOf, type PackageSet } from './packages.ts';

/** Installs the missing packages of a set, without running their scripts. */
export const installPackages = (set: PackageSet): Promise<void> =>
  installFolder({
    folder: folderOf(set),
    title: `npm ci of the corpus, ${set}`,
    args: ['--ignore-scripts'],
  });
