import { expect } from 'chai';
import fc from 'fast-check';
import { readAhead } from '../../activities/read-ahead.ts';

const bounds = { maxItems: 4, maxBytes: 100 };
const sizeOf = (size: number): number => size;

describe('reading ahead', () => {
  it('yields everything in order, and never holds more than its bounds', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 120 }), { maxLength: 40 }), async (sizes) => {
        /** Sizes of the items that were fetched and not yet received. */
        const held: number[] = [];
        const fetch = async (size: number) => {
          held.push(size);
          const bytes = held.reduce((sum, one) => sum + one, 0);
          expect(held.length).to.be.at.most(bounds.maxItems);
          if (held.length > 1) expect(bytes).to.be.at.most(bounds.maxBytes);
          return Buffer.alloc(size);
        };
        const received: number[] = [];
        for await (const { length } of readAhead(sizes, { sizeOf, fetch, ...bounds })) {
          received.push(length);
          held.shift();
        }
        expect(received).to.deep.equal(sizes);
      }),
    ));

  it('fetches items before they are asked for', async () => {
    let fetched = 0;
    const fetch = async (size: number) => {
      fetched += 1;
      return Buffer.alloc(size);
    };
    const reading = readAhead([1, 1, 1, 1, 1, 1], { sizeOf, fetch, ...bounds });
    await reading.next();
    expect(fetched).to.equal(bounds.maxItems);
  });

  it('throws the error of an item when that item is next', async () => {
    const fetch = async (size: number) => {
      if (size === 3) throw new Error('The item is missing.');
      return Buffer.alloc(size);
    };
    const reading = readAhead([1, 2, 3, 4], { sizeOf, fetch, ...bounds });
    expect((await reading.next()).value).to.have.lengthOf(1);
    expect((await reading.next()).value).to.have.lengthOf(2);
    expect(await reading.next().catch((error: Error) => error.message)).to.equal(
      'The item is missing.',
    );
  });
});
