import { expect } from 'chai';
import { outputFileName } from '../../activities/output-file-name.ts';

const slug = 'invoice';
const nameOf = (businessKey: string) => outputFileName({ slug, businessKey });

describe('the file name of an output', () => {
  const names: [string, string][] = [
    ['2024-001', 'invoice-2024-001.pdf'],
    ['Rechnung für Zoë', 'invoice-Rechnung für Zoë.pdf'],
    ['請求書', 'invoice-請求書.pdf'],
    ['../../etc/passwd', 'invoice-.._.._etc_passwd.pdf'],
    ['a\\b:c*d?e"f<g>h|i', 'invoice-a_b_c_d_e_f_g_h_i.pdf'],
    ['a\r\nSet-Cookie: x', 'invoice-a_Set-Cookie_ x.pdf'],
    ['gnp\u202efdp.exe', 'invoice-gnp_fdp.exe.pdf'],
    ['100%41', 'invoice-100_41.pdf'],
    ['ends in dots... ', 'invoice-ends in dots.pdf'],
    ['e\u0301', 'invoice-é.pdf'],
  ];
  for (const [businessKey, name] of names)
    it(`is ${name} for the key ${JSON.stringify(businessKey)}`, () => {
      expect(nameOf(businessKey)).to.equal(name);
    });

  for (const letter of ['x', 'ü', '漢', '😀', '👨‍👩‍👧'])
    it(`is short enough for every file system with a long key of ${letter}, and well-formed`, () => {
      const name = nameOf(letter.repeat(255));
      expect(Buffer.byteLength(name)).to.be.at.most(255);
      expect(name.isWellFormed()).to.equal(true);
      expect(name).to.match(/\.pdf$/);
    });
});
