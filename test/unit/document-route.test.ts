import { expect } from 'chai';
import fc from 'fast-check';
import { resolveRoute } from '../../contracts/rest/document-route.ts';
import { documentPath } from '../../contracts/rest/schemas/document-paths.ts';

const runs = { numRuns: 500 };

const among =
  (...paths: string[]) =>
  (path: string): boolean =>
    paths.includes(path);

/** Characters with and without a meaning in addresses. */
const character = fc.constantFrom(...'ab/?#.&=%é \\');
const segment = fc.string({ unit: character, minLength: 1, maxLength: 8 });
const path = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/'))
  .filter((text) => documentPath.safeParse(text).success);
const plainPath = path.filter((text) => !/[?#]/.test(text));
const search = fc
  .string({ unit: character, maxLength: 8 })
  .map((text) => (text === '' ? '' : `?${text.replaceAll('#', '')}`));
const hash = fc
  .string({ unit: character, maxLength: 8 })
  .map((text) => (text === '' ? '' : `#${text}`));
const slash = fc.constantFrom('', '/');

describe('a route', () => {
  const examples: [string, string[], [string, string, string] | undefined][] = [
    ['index.html', ['index.html'], ['index.html', '', '']],
    ['/index.html', ['index.html'], ['index.html', '', '']],
    ['/', ['index.html'], ['index.html', '', '']],
    ['/?lang=de', ['index.html'], ['index.html', '?lang=de', '']],
    ['?lang=de', ['index.html'], ['index.html', '?lang=de', '']],
    ['/#/invoice/7?draft', ['index.html'], ['index.html', '', '#/invoice/7?draft']],
    ['sub/', ['sub/index.html'], ['sub/index.html', '', '']],
    ['/sub/?a=b#c', ['sub/index.html'], ['sub/index.html', '?a=b', '#c']],
    ['a.html?b', ['a.html', 'a.html?b'], ['a.html?b', '', '']],
    ['/a.html#b', ['a.html', 'a.html#b'], ['a.html#b', '', '']],
    ['sub', ['sub/index.html'], undefined],
    ['//index.html', ['index.html'], undefined],
    ['/../index.html', ['index.html'], undefined],
    ['sub/index.html/', ['sub/index.html'], undefined],
    ['other.html?index.html', ['index.html'], undefined],
    ['/', ['start.html'], undefined],
  ];
  for (const [route, paths, expected] of examples)
    it(`${route} is ${expected?.join(' ') ?? 'nothing'} among ${paths.join(', ')}`, () => {
      const resolved = resolveRoute(route, among(...paths));
      const { filePath, search: query, hash: fragment } = resolved ?? {};
      expect(resolved && [filePath, query, fragment]).to.deep.equal(expected);
    });

  it('that is the path of a file names that file, with any characters in the path', () => {
    fc.assert(
      fc.property(path, slash, (file, start) => {
        const resolved = resolveRoute(start + file, () => true);
        expect(resolved).to.deep.equal({ filePath: file, search: '', hash: '' });
      }),
      runs,
    );
  });

  it('is split into path, query after `?` and hash after `#`', () => {
    fc.assert(
      fc.property(plainPath, search, hash, slash, (file, query, fragment, start) => {
        const resolved = resolveRoute(start + file + query + fragment, among(file));
        expect(resolved).to.deep.equal({ filePath: file, search: query, hash: fragment });
      }),
      runs,
    );
  });

  it('that ends with a slash names the index.html of that folder', () => {
    const folder = fc.oneof(
      fc.constant(''),
      plainPath.map((text) => `${text}/`),
    );
    fc.assert(
      fc.property(folder, search, hash, slash, (name, query, fragment, start) => {
        const route = start + name + query + fragment;
        fc.pre(route !== '');
        const filePath = `${name}index.html`;
        const resolved = resolveRoute(route, among(filePath));
        expect(resolved).to.deep.equal({ filePath, search: query, hash: fragment });
      }),
      runs,
    );
  });

  it('never names a missing file', () => {
    const anything = fc.string({ unit: character, maxLength: 20 });
    fc.assert(
      fc.property(anything, fc.array(path, { maxLength: 5 }), (route, files) => {
        const resolved = resolveRoute(route, among(...files));
        if (resolved) expect(files).to.include(resolved.filePath);
      }),
      runs,
    );
  });
});
