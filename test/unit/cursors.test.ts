import { expect } from 'chai';
import { ServiceError } from '../../contracts/errors.ts';
import { createCursors, readPage } from '../../store/database/cursors.ts';

const list = 'deploys ws_1';
const afterId = 'dpl_01jd2m5k8xe7v9q4t6w3r1n0ab';
const cursors = createCursors(['secret of the first']);
const cursor = cursors.encode(list, afterId);

function expectInvalid(text: string, inList = list): void {
  expect(() => cursors.decode(inList, text))
    .to.throw(ServiceError)
    .with.property('code', 'invalid_cursor');
}

describe('cursors', () => {
  it('decode to the position where the page ended', () => {
    expect(cursors.decode(list, cursor)).to.equal(afterId);
    expect(cursors.decode(list, undefined)).to.equal(undefined);
  });

  it('need no escaping in a query', () => expect(cursor).to.match(/^[\w-]+$/));

  it('are refused when any character was changed', () => {
    for (let at = 0; at < cursor.length; at++)
      expectInvalid(
        `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'Q' : 'A'}${cursor.slice(at + 1)}`,
      );
  });

  for (const text of ['', 'x', 'not a cursor', 'A'.repeat(16), 'A'.repeat(1_000), '\u0000'])
    it(`cannot be ${JSON.stringify(text).slice(0, 30)}`, () => expectInvalid(text));

  it('of one list are refused by another list, and by the same list of another workspace', () => {
    for (const other of ['render-jobs ws_1', 'deploys ws_2', '']) expectInvalid(cursor, other);
  });

  it('signed with another secret are refused, but the old secret is accepted during a rotation', () => {
    expectInvalid(createCursors(['another']).encode(list, afterId));
    const rotated = createCursors(['new', 'secret of the first']);
    expect(rotated.decode(list, cursor)).to.equal(afterId);
  });
});

describe('a page', () => {
  const ids = ['c', 'b', 'a'];
  const pageOf = (limit: number, after?: string) =>
    readPage(
      cursors,
      list,
      { cursor: after && cursors.encode(list, after), limit },
      {
        read: async (position) =>
          ids.filter((id) => id < (position.after ?? 'd')).slice(0, position.limit),
        toItem: (id) => id.toUpperCase(),
        toPosition: (id) => id,
      },
    );

  it('has a cursor after its last item if there are more', async () => {
    const { items, nextCursor } = await pageOf(2);
    expect(items).to.deep.equal(['C', 'B']);
    expect(cursors.decode(list, nextCursor)).to.equal('b');
  });

  it('has no cursor if it is the last page', async () => {
    expect(await pageOf(3)).to.deep.equal({ items: ['C', 'B', 'A'] });
    expect(await pageOf(2, 'b')).to.deep.equal({ items: ['A'] });
  });
});
