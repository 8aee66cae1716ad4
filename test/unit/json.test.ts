import canonicalize from 'canonicalize';
import { expect } from 'chai';
import fc from 'fast-check';
import { ServiceError } from '../../contracts/errors.ts';
import { assertStorableJson, canonicalJson, findExcess } from '../../contracts/json.ts';
import { maxJsonDepth, maxJsonValues } from '../../contracts/limits.ts';

const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
const nested: [string, (depth: number) => string][] = [
  ['arrays', arrays],
  ['objects', objects],
];

describe('JSON that is stored', () => {
  for (const [what, nest] of nested) {
    it(`may have ${what} ${maxJsonDepth} deep`, () => {
      assertStorableJson(JSON.parse(nest(maxJsonDepth)));
      expect(findExcess(Buffer.from(nest(maxJsonDepth)))).to.equal(undefined);
    });

    it(`may not have ${what} ${maxJsonDepth + 1} deep`, () => {
      expectRefused(JSON.parse(nest(maxJsonDepth + 1)));
      expect(findExcess(Buffer.from(nest(maxJsonDepth + 1)))).to.equal('depth');
    });
  }

  it('is found too deep before parsing, in less than 100 ms', () => {
    const bomb = Buffer.alloc(16 * 1024 ** 2, '[');
    const begun = performance.now();
    expect(findExcess(bomb)).to.equal('depth');
    expect(performance.now() - begun).to.be.lessThan(100);
  });

  it('may have brackets in its strings, also after an escaped quote', () => {
    expect(findExcess(Buffer.from(JSON.stringify(`\\"${'[,'.repeat(maxJsonValues)}`)))).to.equal(
      undefined,
    );
  });

  it('may have siblings, up to the maximum number of values', () => {
    const siblings = (values: number) => Buffer.from(`[${'0,'.repeat(values - 2)}0]`);
    expect(findExcess(siblings(maxJsonValues))).to.equal(undefined);
    expect(findExcess(siblings(maxJsonValues + 1))).to.equal('values');
    expect(findExcess(Buffer.from(`[${'[],'.repeat(maxJsonValues)}0]`))).to.equal('values');
    assertStorableJson(JSON.parse(siblings(maxJsonValues).toString()));
  });

  const unstorable: [string, string][] = [
    ['NUL in a string', '"a\\u0000b"'],
    ['NUL in a key', '{"a\\u0000":1}'],
    ['a lone high surrogate', '["\\ud800"]'],
    ['a lone low surrogate', '{"a":{"b":"\\udc00"}}'],
    ['a lone surrogate in a key', '{"\\udbff":1}'],
    ['surrogates in the wrong order', '"\\udc00\\ud800"'],
    ['a number beyond a double', '[1e400]'],
    ['a number below a double', '-1e400'],
  ];
  for (const [what, text] of unstorable)
    it(`may not have ${what}`, () => expectRefused(JSON.parse(text)));

  for (const [what, text] of unstorable.filter(([what]) => !what.startsWith('a number'))) {
    it(`may have ${what} in its payload`, () => {
      assertStorableJson({ jobs: [{ payload: JSON.parse(text) }] }, { anyTextIn: 'payload' });
    });

    it(`may not have ${what} beside its payload`, () => {
      expectRefused({ payload: '', other: JSON.parse(text) }, { anyTextIn: 'payload' });
    });
  }

  it('may not have a number beyond a double, or too many levels, in its payload either', () => {
    for (const payload of [JSON.parse('[1e400]'), JSON.parse(arrays(maxJsonDepth))])
      expectRefused({ payload }, { anyTextIn: 'payload' });
  });

  const storable = ['"\\ud83d\\ude00"', '"\\u0001"', 'null', 'true', '0', '{"__proto__":{"a":1}}'];
  for (const text of storable) it(`may be ${text}`, () => assertStorableJson(JSON.parse(text)));
});

function expectRefused(value: unknown, options?: { anyTextIn: string }): void {
  expect(() => assertStorableJson(value, options))
    .to.throw(ServiceError)
    .with.property('code', 'invalid_request');
}

describe('canonical JSON', () => {
  // From RFC 8785: the examples of 3.2.2 and 3.2.3, and rows of the table of numbers in appendix B.
  const vectors: [string, unknown, string][] = [
    [
      'the primitive values of 3.2.2',
      JSON.parse(
        '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
      ),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ],
    [
      'keys by their UTF-16 code units',
      JSON.parse(
        '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
      ),
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    ],
    ['minus zero', -0, '0'],
    ['the smallest double', 5e-324, '5e-324'],
    ['the largest double', 1.7976931348623157e308, '1.7976931348623157e+308'],
    ['the largest safe integer', 9007199254740991, '9007199254740991'],
    ['the end of plain notation', 1e21, '1e+21'],
    ['just before it', 999999999999999900000, '999999999999999900000'],
    ['the beginning of small notation', 1e-7, '1e-7'],
    ['just before that', 0.000001, '0.000001'],
    ['a long fraction', 333333333.33333325, '333333333.33333325'],
    ['no spaces', { b: [1, 2], a: {} }, '{"a":{},"b":[1,2]}'],
    ['null', null, 'null'],
    ['a key named __proto__', JSON.parse('{"b":1,"__proto__":2}'), '{"__proto__":2,"b":1}'],
  ];
  for (const [what, value, text] of vectors)
    it(`writes ${what} as RFC 8785 does`, () => expect(canonicalJson(value)).to.equal(text));

  it('writes what a library for RFC 8785 does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        expect(canonicalJson(value)).to.equal(canonicalize(value));
      }),
    );
  });

  it('writes lone surrogates, for which RFC 8785 has no form, as escapes that read as the same value', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '\0', '\ud800', '\udc00', '\ud83d\ude00'),
    });
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text)), (value) => {
        const bytes = Buffer.from(canonicalJson(value));
        expect(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).to.deep.equal(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
    expect(canonicalJson('\udc00\ud800')).to.equal('"\\udc00\\ud800"');
  });

  it('refuses what is not JSON', () => {
    expect(() => canonicalJson(undefined)).to.throw(ServiceError);
  });
});
