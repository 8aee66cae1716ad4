import { expect } from 'chai';
import { isDatabaseUnavailable } from '../../store/database/errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html, and codes of the client. */
const passing = [
  ...['08006', '53300', '57014', '57P01', '57P03', '55P03'],
  ...['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'ECONNREFUSED', 'ECONNRESET'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
];
const lasting = ['23505', '22021', '42601', '40001', 'ENOENT', ''];

describe('an error of the database', () => {
  for (const code of passing)
    it(`with the code ${code} is an outage: the same call can be sent again`, () => {
      expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code }))).to.equal(true);
    });

  for (const code of lasting)
    it(`with the code ${code || '""'} is no outage`, () => {
      expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code }))).to.equal(false);
    });
});
