import { expect } from 'chai';
import { signInFirstOwner } from '../../store/first-owner.ts';
import { refusalOf, useAdmin } from './rig.ts';

describe('smoke', () => {
  const admin = useAdmin();
  it('works', async () => {
    const { tool, origin, service } = admin();
    const ws = await tool.workspaces.create.mutate({ name: 'A', plan: 'blank' });
    console.log(ws, await tool.workspaces.list.query({}));
    console.log(await refusalOf(tool.workspaces.get.query({ workspaceId: 'ws_nope' })));
    console.log(await tool.queue.workers.query(), await tool.queue.list.query());
    console.log(await tool.apiKeys.create.mutate({ workspaceId: ws.id, name: 'x' }));
    console.log(await tool.auditLog.listAll.query({}));
    const bad = await fetch(`${origin}/trpc/workspaces.get?input={"workspaceId":3}`, {
      headers: { Authorization: `Bearer ${admin().adminToken}` },
    });
    console.log(bad.status, await bad.text());
    const un = await fetch(`${origin}/trpc/workspaces.list`);
    console.log(un.status, await un.text());
    const nop = await fetch(`${origin}/trpc/nope.list`);
    console.log(nop.status, await nop.text());
    const token = await signInFirstOwner(service.database.sql, {
      workspaceId: ws.id,
      now: Date.now(),
    });
    const signed = await fetch(`${origin}/dashboard/api/auth/one-time-link?token=${token}`, {
      redirect: 'manual',
    });
    console.log(signed.status, [...signed.headers]);
    const cookie = signed.headers
      .getSetCookie()
      .map((c) => c.split(';')[0])
      .join('; ');
    const me = await fetch(`${origin}/trpc/account.get`, { headers: { cookie } });
    console.log(me.status, await me.text());
    const inv = await tool.invitations.create.mutate({
      workspaceId: ws.id,
      email: 'Bob@Example.com',
      role: 'member',
    });
    console.log(inv);
    const invToken = inv.link.split('#')[1];
    const acc = await fetch(`${origin}/dashboard/api/auth/accept-invitation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: invToken, name: 'Bob', password: 'correct horse battery' }),
    });
    console.log(acc.status, await acc.text(), acc.headers.getSetCookie());
    for (const password of ['wrong horse battery', 'correct horse battery']) {
      const si = await fetch(`${origin}/dashboard/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'bob@example.com', password }),
      });
      console.log(si.status, await si.text());
    }

    expect(1).to.equal(1);
  });
});
