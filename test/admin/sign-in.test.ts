import { expect } from 'chai';
import {
  adminPath,
  dashboardPath,
  signInLink,
  signInPath,
} from '../../contracts/processes/web-addresses.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { ensureFirstOwner } from '../../store/people/first-owner.ts';
import { createSignInLink } from '../../store/people/sign-in-links.ts';
import { createUser } from '../../store/people/users.ts';
import { startService } from '../support/service.ts';
import {
  callProcedure,
  cookieOf,
  createAdminClient,
  createPerson,
  postSignIn,
  resetSignInRateLimit,
  signInRefusalOf,
  type TestPerson,
  useAdmin,
} from './admin-fixture.ts';

const password = 'correct horse battery staple';

describe('the one-time link of the first owner', () => {
  const admin = useAdmin();
  const open = (token: string) => fetch(signInLink(admin().origin, token), { redirect: 'manual' });

  beforeEach(() => resetSignInRateLimit(admin()));

  it('signs in an operator who owns the workspace, only once, even if it is opened twice at the same time', async () => {
    const { service, origin } = admin();
    const { id: workspaceId } = await service.createWorkspace();
    const now = Date.now();
    const token = await ensureFirstOwner(service.database.sql, { workspaceId, now });
    const answers = await Promise.all([open(token), open(token), open(token)]);
    const [first, ...others] = answers.toSorted((a, b) => cookieOf(b).length - cookieOf(a).length);
    for (const other of others) {
      expect(other.headers.getSetCookie()).to.deep.equal([]);
      expect(other.headers.get('Location')).to.match(new RegExp(`^${dashboardPath}/sign-in\\?`));
      expect(await signInRefusalOf(other)).to.equal('sign_in_link_not_found');
    }
    expect(first?.headers.get('Location')).to.equal(`${dashboardPath}/`);
    const client = createAdminClient(origin, { Cookie: cookieOf(first as Response) });
    expect(await client.account.get.query()).to.include({ operator: true, complete: false });
    const { items } = await client.workspaces.list.query({ mine: true });
    expect(items.find(({ id }) => id === workspaceId)).to.include({ role: 'owner' });
  });

  it('expires after 15 minutes, and when a newer link is created', async () => {
    const { sql } = admin().service.database;
    const person = await createPerson(admin());
    const links = [
      await createSignInLink(sql, { userId: person.id, now: Date.now() }),
      await createSignInLink(sql, { userId: person.id, now: Date.now() - 15 * 60_000 }),
    ];
    for (const token of links) expect(cookieOf(await open(token))).to.equal('');
  });

  it('lets the owner set a password, but not change it a second time', async () => {
    const { client } = await createPerson(admin());
    const email = 'First.Owner@example.com';
    const account = await client.account.complete.mutate({ name: 'Ada', email, password });
    expect(account).to.include({ name: 'Ada', email: email.toLowerCase(), complete: true });
    const signedIn = await postSignIn(admin(), '/sign-in/email', { email, password });
    expect(signedIn.status).to.equal(200);
    const again = client.account.complete.mutate({ name: 'Eve', email, password });
    expect((await again.catch((error) => error)).data.error).to.equal('forbidden');
  });
});

describe('sign-in', () => {
  const admin = useAdmin();
  let person: TestPerson;
  before(async () => {
    person = await createPerson(admin());
    await person.client.account.complete.mutate({ name: 'Ada', email: person.email, password });
  });
  beforeEach(() => resetSignInRateLimit(admin()));

  const signIn = (change: object = {}, headers: Record<string, string> = {}) =>
    postSignIn(admin(), '/sign-in/email', { email: person.email, password, ...change }, headers);

  it('by e-mail and password sets a cookie that scripts and other sites cannot read', async () => {
    const response = await signIn();
    const [cookie, ...more] = response.headers.getSetCookie();
    expect(more).to.deep.equal([]);
    expect(cookie)
      .to.match(/; HttpOnly/)
      .and.match(/; SameSite=Lax/)
      .and.match(/; Path=\/(;|$)/);
    const client = createAdminClient(admin().origin, { Cookie: cookieOf(response) });
    expect(await client.account.get.query()).to.include({ id: person.id, operator: false });
  });

  it('with a wrong password has the same answer as for a user who does not exist', async () => {
    const answers = await Promise.all(
      [{ password: 'wrong horse battery' }, { email: 'nobody@example.com' }].map(async (change) => {
        const response = await signIn(change);
        return [response.status, response.headers.getSetCookie(), await response.text()];
      }),
    );
    expect(answers[0]).to.deep.equal(answers[1]);
    expect(answers[0]?.[0]).to.equal(401);
  });

  it('limits the number of tries, even if the client forges its address', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      const forgedAddress = {
        'X-Forwarded-For': `203.0.113.${count}`,
        'X-Client-Address': `::${count}`,
      };
      statuses.push((await signIn({ password: 'wrong horse battery' }, forgedAddress)).status);
    }
    expect(statuses).to.deep.equal([...Array(10).fill(401), 429, 429]);
    expect((await signIn()).status, 'by the right password').to.equal(429);
  });

  it('does not let people sign up without an invitation', async () => {
    const body = { name: 'Eve', email: 'eve@example.com', password };
    const response = await postSignIn(admin(), '/sign-up/email', body);
    expect(response.status).to.be.within(400, 499);
    const { sql } = admin().service.database;
    expect(await sql`select 1 from users where email = ${body.email}`).to.have.lengthOf(0);
  });

  it('ends with sign-out: the cookie does not work any more', async () => {
    const headers = { Cookie: cookieOf(await signIn()) };
    expect((await postSignIn(admin(), '/sign-out', {}, headers)).status).to.equal(200);
    const response = await callProcedure(admin(), 'query', 'account.get', {}, headers);
    expect(response.status).to.equal(401);
  });

  it('lasts while the session is used: cookie and session are renewed', async () => {
    const { id, cookie } = await createPerson(admin());
    const headers = { Cookie: cookie };
    const ask = () => callProcedure(admin(), 'query', 'account.get', {}, headers);
    expect((await ask()).headers.getSetCookie(), 'the same day').to.deep.equal([]);
    const { sql } = admin().service.database;
    const age = () => sql`
      update user_sessions set expires_at = expires_at - interval '3 days' where user_id = ${id}`;
    await age();
    const [renewed] = (await ask()).headers.getSetCookie();
    expect(renewed)
      .to.match(/^drs\.session_token=/)
      .and.match(/Max-Age=604800/);
    for (let days = 0; days < 9; days += 3) await age();
    expect((await ask()).status, 'after a week without use').to.equal(401);
  });

  const forgedRequests: [string, Record<string, string>, number][] = [
    ['from a page of another site', { Origin: 'https://evil.example' }, 403],
    ['from a page without an origin', { Origin: 'null' }, 403],
    ['from another port of the same machine', { Origin: 'http://127.0.0.1:1' }, 403],
    ['that a browser calls cross-site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['as a form sends it', { 'Content-Type': 'text/plain' }, 400],
    ['as a form with files sends it', { 'Content-Type': 'multipart/form-data; boundary=x' }, 400],
  ];
  for (const [name, headers, status] of forgedRequests)
    it(`does not authorize a request ${name}`, async () => {
      const { sql } = admin().service.database;
      const count = async () => (await sql`select 1 from workspaces`).length;
      const before = await count();
      const forgedHeaders = { Cookie: person.cookie, ...headers };
      const input = { name: 'Forged', plan: 'pro' };
      const made = await callProcedure(
        admin(),
        'mutation',
        'workspaces.create',
        input,
        forgedHeaders,
      );
      expect(made.status).to.equal(status);
      expect(await count()).to.equal(before);
      const signedOut = await fetch(`${admin().origin}${signInPath}/sign-out`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...forgedHeaders },
        body: '{}',
      });
      expect(signedOut.status).to.equal(status);
      const still = await callProcedure(
        admin(),
        'query',
        'account.get',
        {},
        { Cookie: person.cookie },
      );
      expect(still.status).to.equal(200);
    });

  it('allows to change the password, which ends all other sessions and is in the audit log', async () => {
    const { client, email, id } = await createPerson(admin());
    await client.account.complete.mutate({ name: 'Ada', email, password });
    const headers = { Cookie: cookieOf(await signIn({ email })) };
    const change = (currentPassword: string) => {
      const body = {
        currentPassword,
        newPassword: 'a better password',
        revokeOtherSessions: false,
      };
      return postSignIn(admin(), '/change-password', body, headers);
    };
    expect((await change('not the password')).status).to.equal(400);
    const changed = await change(password);
    expect(changed.status).to.equal(200);
    expect((await client.account.get.query().catch((error) => error)).data.error).to.equal(
      'unauthorized',
    );
    const kept = createAdminClient(admin().origin, { Cookie: cookieOf(changed) });
    expect(await kept.account.get.query()).to.include({ id });
    const { items } = await admin().tool.auditLog.listAll.query({ limit: 100 });
    const entries = items.filter(({ action }) => action === 'account.changePassword');
    expect(entries.map(({ actor, target }) => [actor, target])).to.deep.equal([[id, id]]);
  });

  describe('does not accept', () => {
    const send = (path: string, body: string, headers: Record<string, string> = {}) =>
      fetch(`${admin().origin}${signInPath}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      });
    const refusal = async (response: Response) => [
      response.status,
      ((await response.json()) as { error?: string }).error,
    ];

    it('a body that is too large or too deep', async () => {
      const email = 'x'.repeat(64 * 1_024);
      const response = await send('/sign-in/email', JSON.stringify({ email, password }));
      expect(await refusal(response)).to.deep.equal([400, 'payload_too_large']);
      const nested = await send('/sign-in/email', '['.repeat(65));
      expect(await refusal(nested)).to.deep.equal([400, 'invalid_request']);
    });

    for (const body of ['null', '1', '"text"', '[]', '{', ''])
      it(`a body that is ${body || 'empty'}`, async () => {
        expect((await send('/sign-in/email', body)).status).to.equal(400);
      });

    it('text that the database cannot store', async () => {
      const body = JSON.stringify({ token: 'unknown', name: 'A\0', password });
      const named = await send('/accept-invitation', body);
      expect(await refusal(named)).to.deep.equal([400, 'invalid_request']);
      const { origin } = admin();
      const opened = await fetch(`${origin}${signInPath}/callback/oidc?state=%00`);
      expect(await refusal(opened)).to.deep.equal([400, 'invalid_request']);
    });

    const unknown = [
      'update-user',
      'delete-user',
      'sign-up/email',
      'get-session',
      'list-sessions',
      'error',
      'Sign-In/email',
      'sign-in/email/',
      'x'.repeat(10_000),
    ];
    for (const path of unknown)
      it(`the path ${path.slice(0, 20)}`, async () => {
        await resetSignInRateLimit(admin());
        const response = await send(`/${path}`, '{"name":"Eve"}', { Cookie: person.cookie });
        expect(await refusal(response)).to.deep.equal([404, 'not_found']);
        const { sql } = admin().service.database;
        expect(await sql`select 1 from sign_in_rate_limits`).to.have.lengthOf(0);
      });
  });

  it('does not log text of the client', async () => {
    const callbackURL = 'https://evil.example/look-at-me';
    expect((await signIn({ callbackURL })).status).to.equal(403);
    expect(JSON.stringify(admin().service.api.lines)).to.not.include('look-at-me');
  });

  it('does not log passwords, tokens or cookies', async () => {
    await signIn();
    const { service, adminToken } = admin();
    const now = Date.now();
    const token = await createSignInLink(service.database.sql, { userId: person.id, now });
    const opened = await fetch(signInLink(admin().origin, token), { redirect: 'manual' });
    const secrets = [password, token, adminToken, cookieOf(opened).split('=')[1] ?? ''];
    const log = JSON.stringify(service.api.lines);
    for (const secret of secrets) {
      expect(secret).to.have.length.above(20);
      expect(log).to.not.include(secret);
    }
  });
});

describe('with a public address of https', () => {
  it('cookies are secure, and browsers get Strict-Transport-Security', async function () {
    this.timeout(60_000);
    await using service = await startService({
      workers: 0,
      env: { PUBLIC_URL: 'https://documents.example' },
    });
    const { sql } = service.database;
    const userId = await inTransaction(sql, (tx) =>
      createUser(tx, { name: 'Ada', email: 'ada@example.com' }),
    );
    const token = await createSignInLink(sql, { userId, now: Date.now() });
    const { origin } = new URL(service.baseUrl);
    const response = await fetch(signInLink(origin, token), { redirect: 'manual' });
    const [cookie] = response.headers.getSetCookie();
    expect(cookie)
      .to.match(/^__Secure-drs\.session_token=/)
      .and.match(/; Secure/);
    expect(response.headers.get('Strict-Transport-Security')).to.match(/^max-age=\d{8}/);
    // The page comes from the public address, even if the proxy in front uses another host name.
    const tries = ['https://documents.example', 'https://evil.example'].map(async (Origin) => {
      const body = { email: 'ada@example.com', password };
      return (await postSignIn({ origin }, '/sign-in/email', body, { Origin })).status;
    });
    expect(await Promise.all(tries)).to.deep.equal([401, 403]);
  });
});

describe('answers to browsers', () => {
  const admin = useAdmin();

  for (const path of [adminPath, signInPath, dashboardPath])
    it(`below ${path} allow only our own scripts and no framing`, async () => {
      const { headers } = await fetch(`${admin().origin}${path}/anything`);
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
      expect(policy).to.match(/script-src 'self'(;|$)/);
      expect(policy).to.not.include('unsafe');
      expect(headers.get('X-Content-Type-Options')).to.equal('nosniff');
      expect(headers.get('Referrer-Policy')).to.equal('no-referrer');
    });
});
