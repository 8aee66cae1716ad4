import { expect } from 'chai';
import { defaultLinkLifetimeSeconds, maxLinkLifetimeSeconds } from '../../contracts/limits.ts';
import { deployPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import { expectRefusal, expectSuccess, untilStatus, useApi } from './api-fixture.ts';

const links = [
  ['createOutputDownload', 'attachment'],
  ['createOutputPreview', 'inline'],
] as const;

/** Time when the storage expires a link, Unix ms. */
const endOf = ({ url }: { url: string }): number =>
  Date.parse(new URL(url).searchParams.get('se') ?? '');

describe('links to an output', function () {
  this.timeout(60_000);
  const api = useApi();
  let deployId: string;
  let jobId: string;
  let bytes: number | undefined;
  before(async () => {
    ({ deployId } = await deployPage(api().workspace.client, '<!doctype html><p>Linked</p>'));
    const body = { deployId, businessKey: 'Zoë 1/2', outputMode: 'managed' };
    const { job } = await expectSuccess(api(), 'createRenderJob', { body });
    jobId = job.id;
    bytes = (await untilStatus(api(), jobId)).output?.bytes;
  });

  for (const [operation, disposition] of links) {
    it(`by ${operation} return the PDF as ${disposition}, with a safe file name`, async () => {
      const { access } = await expectSuccess(api(), operation, { params: { jobId } });
      const response = await fetch(access.url);
      const content = new Uint8Array(await response.arrayBuffer());
      expect(response.status).to.equal(200);
      expect(response.headers.get('Content-Type')).to.equal('application/pdf');
      const header = response.headers.get('Content-Disposition');
      expect(header).to.match(new RegExp(`^${disposition}; `));
      expect(header).to.match(/filename\*=UTF-8''page-\d+-Zo%C3%AB%201_2\.pdf/);
      expect(content).to.have.lengthOf(bytes ?? 0);
      expect(Buffer.from(content).toString('latin1', 0, 5)).to.equal('%PDF-');
    });

    const lifetimes: [string, object, number][] = [
      ['10 minutes by default', {}, defaultLinkLifetimeSeconds],
      ['the value in the body', { body: { expiresInSeconds: 60 } }, 60],
      ['the value in the query', { query: { expiresInSeconds: 120 } }, 120],
      [
        'the value in the body if both have one',
        { body: { expiresInSeconds: 1 }, query: { expiresInSeconds: 120 } },
        1,
      ],
      [
        'the value in the query if the body is empty',
        { body: {}, query: { expiresInSeconds: 120 } },
        120,
      ],
    ];
    for (const [what, input, seconds] of lifetimes)
      it(`by ${operation} have a lifetime of ${what}`, async () => {
        const before = Date.now();
        const { access } = await expectSuccess(api(), operation, { params: { jobId }, ...input });
        expect(access.expiresAt - seconds * 1_000).to.be.within(before, Date.now() + 999);
        expect(endOf(access)).to.equal(access.expiresAt);
      });

    it(`by ${operation} have a lifetime of at most seven days, the limit of the storage`, async () => {
      const before = Date.now();
      const body = { expiresInSeconds: maxLinkLifetimeSeconds };
      const { access } = await expectSuccess(api(), operation, { params: { jobId }, body });
      const mostMs = maxLinkLifetimeSeconds * 1_000;
      expect(access.expiresAt - mostMs).to.be.within(before - 999, Date.now());
      expect(endOf(access)).to.equal(access.expiresAt);
      const start = Date.parse(new URL(access.url).searchParams.get('st') ?? '');
      expect(access.expiresAt - start).to.be.at.most(mostMs);
      expect((await fetch(access.url)).status).to.equal(200);
    });

    it(`by ${operation} work with a lifetime of one second`, async () => {
      const input = { params: { jobId }, body: { expiresInSeconds: 1 } };
      // Repeated, so that some are signed shortly before the next whole second.
      for (let calls = 0; calls < 30; calls++) {
        const before = Date.now();
        const { access } = await expectSuccess(api(), operation, input);
        expect(access.expiresAt - before).to.be.at.least(1_000);
        expect(endOf(access)).to.equal(access.expiresAt);
        const response = await fetch(access.url);
        await response.arrayBuffer();
        if (Date.now() < access.expiresAt) expect(response.status).to.equal(200);
      }
    });

    it(`by ${operation} expire with their output, and expiresAt says so`, async () => {
      const { job } = await expectSuccess(api(), 'createRenderJob', { body: { deployId } });
      const params = { jobId: job.id };
      const { deleteAfter = 0 } = (await untilStatus(api(), job.id)).output ?? {};
      const body = { expiresInSeconds: maxLinkLifetimeSeconds };
      const { access } = await expectSuccess(api(), operation, { params, body });
      expect(access.expiresAt).to.equal(deleteAfter);
      expect(endOf(access)).to.equal(deleteAfter);
      const { sql } = api().service.database;
      const soon = Date.now() + 30_500;
      await sql`update render_outputs set delete_after = ${soon} where job_id = ${job.id}`;
      const { access: shorter } = await expectSuccess(api(), operation, { params });
      expect(shorter.expiresAt).to.be.within(soon - 999, soon);
      expect(endOf(shorter)).to.equal(shorter.expiresAt);
      await sql`update render_outputs set delete_after = ${Date.now()} where job_id = ${job.id}`;
      await expectRefusal(api(), operation, 'output_not_found', { params });
    });

    const outOfRange = [0, -1, 1.5, maxLinkLifetimeSeconds + 1, '60', null, 1e21];
    for (const expiresInSeconds of outOfRange)
      it(`by ${operation} cannot have a lifetime of ${JSON.stringify(expiresInSeconds)} in the body`, async () => {
        const input = { params: { jobId }, body: { expiresInSeconds } };
        await expectRefusal(api(), operation, 'invalid_request', input);
      });
    for (const text of [
      '0',
      '-1',
      '1.5',
      `${maxLinkLifetimeSeconds + 1}`,
      'x',
      '',
      '1e3',
      '1&expiresInSeconds=2',
    ])
      it(`by ${operation} cannot have a lifetime of ${text || 'nothing'} in the query`, async () => {
        const input = { params: { jobId }, query: `expiresInSeconds=${text}` };
        await expectRefusal(api(), operation, 'invalid_request', input);
      });

    it(`by ${operation} reject other parameters`, async () => {
      const params = { jobId };
      await expectRefusal(api(), operation, 'invalid_request', { params, query: 'expires=1' });
      await expectRefusal(api(), operation, 'invalid_request', { params, body: { expires: 1 } });
    });
  }

  it('stop working at expiresAt', async () => {
    const input = { params: { jobId }, body: { expiresInSeconds: 1 } };
    const { access } = await expectSuccess(api(), 'createOutputDownload', input);
    await poll('the link to end', async () => (await fetch(access.url)).status === 403);
  });

  it('are never logged', () => {
    const lines = [
      ...api().service.api.lines,
      ...api().service.workers.flatMap(({ lines }) => lines),
    ];
    expect(JSON.stringify(lines)).not.to.match(/[?&]sig=/);
  });
});
