import { expect } from 'chai';
import { isDatabaseUnavailable } from '../../store/database/errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html, and codes of the client. */
const passing = [
  ...['08006', '53300', '57014', '57P01', '57P03', '55P03'],
  ...['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'ECONNREFUSED', 'ECONNRESET'],
];
const lasting = ['23505', '22021', '42601', '40001', 'ENOENT', ''];

describe('trouble of the database', () => {
  for (const code of passing)
    it(`passes when its code is ${code}: the same call can be sent again`, () => {
      expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code }))).to.equal(true);
    });

  for (const code of lasting)
    it(`does not pass when its code is ${code || 'empty'}: it is ours to mend`, () => {
      expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code }))).to.equal(false);
    });
});
