import { expect } from 'chai';
import { openGate } from '../support/gate.ts';
import { answerOf, createPerson, useAdmin } from './admin-fixture.ts';

describe('the admin router without its database', () => {
  const admin = useAdmin();

  it('answers service_unavailable in the form of tRPC, even though it cannot find the session', async () => {
    const { cookie } = await createPerson(admin());
    const { service } = admin();
    await using gate = await openGate(service.database.url);
    const api = await service.startApi({ DATABASE_URL: gate.url, PORT: '0' });
    try {
      const { address } = api.lines.at(-1) ?? {};
      const get = () => fetch(`${address}/trpc/workspaces.list?input={}`, { headers: { cookie } });
      expect(await answerOf(await get())).to.equal('done');
      await gate.close();
      const answer = await get();
      expect(answer.status).to.equal(503);
      expect(await answerOf(answer)).to.equal('service_unavailable');
    } finally {
      await api.end();
    }
  });
});
