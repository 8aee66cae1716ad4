import { expect } from 'chai';
import fc from 'fast-check';
import { readAhead } from '../../activities/read-ahead.ts';

const bounds = { maxItems: 4, maxBytes: 100 };
const sizeOf = (size: number): number => size;

describe('reading ahead', () => {
  it('yields everything in order, and never has more ahead than its bounds', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 120 }), { maxLength: 40 }), async (sizes) => {
        /** Sizes of the items that were fetched and not yet consumed. */
        const ahead: number[] = [];
        const fetch = async (size: number) => {
          ahead.push(size);
          const bytes = ahead.reduce((sum, one) => sum + one, 0);
          expect(ahead.length).to.be.at.most(bounds.maxItems);
          if (ahead.length > 1) expect(bytes).to.be.at.most(bounds.maxBytes);
          return Buffer.alloc(size);
        };
        const consumed: number[] = [];
        for await (const { length } of readAhead(sizes, { sizeOf, fetch, ...bounds })) {
          consumed.push(length);
          ahead.shift();
        }
        expect(consumed).to.deep.equal(sizes);
      }),
    ));

  it('reads ahead', async () => {
    let fetched = 0;
    const fetch = async (size: number) => {
      fetched += 1;
      return Buffer.alloc(size);
    };
    const reading = readAhead([1, 1, 1, 1, 1, 1], { sizeOf, fetch, ...bounds });
    await reading.next();
    expect(fetched).to.equal(bounds.maxItems);
  });

  it('throws an error when the turn of its item comes', async () => {
    const fetch = async (size: number) => {
      if (size === 3) throw new Error('It is gone.');
      return Buffer.alloc(size);
    };
    const reading = readAhead([1, 2, 3, 4], { sizeOf, fetch, ...bounds });
    expect((await reading.next()).value).to.have.lengthOf(1);
    expect((await reading.next()).value).to.have.lengthOf(2);
    expect(await reading.next().catch((error: Error) => error.message)).to.equal('It is gone.');
  });
});
