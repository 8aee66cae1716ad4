import { expect } from 'chai';
import { checkReadiness } from '../../runtime/health.ts';

describe('the readiness of a process', () => {
  it('needs the database to be reachable', async () => {
    const readiness = await checkReadiness({ isDatabaseReachable: async () => true });
    expect(readiness).to.deep.equal({ isReady: true, status: 'ready' });
  });

  it('fails without the database, and the status says so', async () => {
    const readiness = await checkReadiness({ isDatabaseReachable: async () => false });
    expect(readiness).to.deep.equal({ isReady: false, status: 'database unavailable' });
  });
});
