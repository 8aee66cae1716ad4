import { expect } from 'chai';
import { commitBody } from '../../contracts/rest/schemas/commits.ts';
import { documentPath } from '../../contracts/rest/schemas/document-paths.ts';
import { createUploadSessionBody } from '../../contracts/rest/schemas/upload-sessions.ts';

const sha256 = 'a'.repeat(64);
const filesOf = (...paths: string[]) => paths.map((path) => ({ path, sha256, size: 1 }));

/** Paths that are dangerous when files are unpacked, served or compared. */
const pathTricks = [
  '',
  '.',
  '..',
  '/',
  '/index.html',
  'a//b',
  'a/',
  './a',
  'a/./b',
  '../a',
  'a/../b',
  'a/..',
  'a\\b',
  '..\\a',
  'C:\\a',
  'a\u0000b',
  'a\nb',
  'a\u007fb',
  'a\u0085b',
  'e\u0301.html',
  '__payload',
  '__PAYLOAD',
  'x'.repeat(1_025),
];

describe('paths of a document', () => {
  for (const path of pathTricks)
    it(`may not be ${JSON.stringify(path.slice(0, 40))}`, () => {
      expect(documentPath.safeParse(path).success).to.equal(false);
    });

  const plain = [
    'index.html',
    'a/b/c.css',
    '.well-known/x',
    'a..b',
    '...',
    'é.html',
    '漢字/😀.png',
    'a b.html',
    'a%2fb',
    '__payload/a',
    'x'.repeat(1_024),
  ];
  for (const path of plain)
    it(`may be ${path.slice(0, 40)}`, () => {
      expect(documentPath.parse(path)).to.equal(path);
    });

  for (const paths of [
    ['a', 'a'],
    ['a', 'A'],
    ['é/x', 'É/x'],
  ])
    it(`may not be listed twice, as ${paths.join(' and ')}`, () => {
      const listed = createUploadSessionBody.safeParse({
        deployId: 'dpl',
        files: filesOf(...paths),
      });
      const committed = commitBody.safeParse({
        entries: paths.map((path) => ({ path, blobHash: sha256, size: 1 })),
        render: { route: paths[0], title: 'Title' },
      });
      expect(listed.success).to.equal(false);
      expect(committed.success).to.equal(false);
    });
});
