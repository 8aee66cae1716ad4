import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { HttpErrorCode } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { maxPayloadBytes } from '../../contracts/limits.ts';
import type { CreateRenderJobBody } from '../../contracts/rest/schemas/render-jobs.ts';
import type { DeployVersion } from '../../contracts/rest/schemas/versions.ts';
import { deployPage, payloadPage, sha256Of } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import type { Workspace } from '../support/service.ts';
import {
  call,
  countRows,
  expectRefusal,
  expectSuccess,
  uniqueSlug,
  untilStatus,
  unusedIds,
  useApi,
} from './api-fixture.ts';

type Body = Partial<CreateRenderJobBody>;

/** Writes the MIME type and the bytes of the payload to the log of the job. */
const logPayloadPage = `<!doctype html><meta charset="utf-8"><title>Payload</title><script>
  window.renderReady = fetch('/__payload').then(async (answer) => {
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    console.error('payload ' + answer.headers.get('Content-Type') + ' ' + hex);
  });
</script>`;

/** Allocates memory until the browser is killed. */
const crashingPage = `<!doctype html><script>
  const all = [];
  for (;;) all.push(new Uint8Array(16e6).fill(1));
</script>`;

const rejectingPage = `<!doctype html><script>
  window.renderReady = Promise.reject(new Error('no rate for CHF'));
</script>`;

const races = 60;
const racesAtOnce = 4;
/** A job is claimed within this time, unless the machine is busy. The cancels are spread over it. */
const latestCancelMs = 500;

describe('render jobs', function () {
  this.timeout(60_000);
  const api = useApi();
  let version: DeployVersion;
  before(async () => {
    version = await deployPage(api().workspace.client, logPayloadPage, { title: 'Logged' });
  });

  const create = async (body: object = {}, apiKey = api().workspace.apiKey) => {
    const input = { apiKey, body: { deployId: version.deployId, ...body } };
    return (await expectSuccess(api(), 'createRenderJob', input)).job;
  };

  it('are accepted as queued, with a concrete version and all known fields', async () => {
    const before = Date.now();
    const answer = await expectSuccess(api(), 'createRenderJob', {
      body: { deployId: version.deployId },
    });
    expect(answer).to.include({ accepted: true, queue: 'render' });
    const { job } = answer;
    expect(job).to.have.all.keys(
      ...['id', 'deployId', 'deployVersionId', 'deployVersionNo', 'deployVersionRoute'],
      ...['deployVersionTitle', 'businessKey', 'payloadHash', 'status', 'attempt', 'requestedAt'],
      'outputMode',
    );
    expect(job).to.include({
      deployVersionId: version.id,
      deployVersionNo: 1,
      deployVersionRoute: 'index.html',
      deployVersionTitle: 'Logged',
      businessKey: job.id,
      payloadHash: sha256Of('null'),
      status: 'queued',
      attempt: 0,
      outputMode: 'transient',
    });
    expect(job.requestedAt).to.be.within(before, Date.now());
  });

  for (const outputMode of ['managed', 'transient'] as const)
    it(`that are ${outputMode} end with the fields of their output`, async () => {
      const { id } = await create({ outputMode, businessKey: 'R-1' });
      const answer = await untilStatus(api(), id);
      const { job, output, pdf, attemptUsage, logs } = answer;
      expect(job).to.include({ status: 'succeeded', attempt: 0, businessKey: 'R-1', outputMode });
      expect(job).not.to.have.any.keys('errorCode', 'errorMessage');
      const { requestedAt, startedAt = 0, finishedAt = 0 } = job;
      expect([requestedAt, startedAt, finishedAt]).to.deep.equal(
        [requestedAt, startedAt, finishedAt].sort((one, other) => one - other),
      );
      expect(output).to.include({ renderJobId: id, state: 'available', pageCount: 1 });
      expect(output).not.to.have.any.keys('deleteReason', 'deletedAt');
      expect(attemptUsage?.turnaroundMs).to.equal(finishedAt - requestedAt);
      expect(attemptUsage?.browserMsSource).to.equal('browser_lifecycle');
      expect(logs?.map(({ stage }) => stage)).to.include('page');
      expect(answer).not.to.have.property('progress');
      if (outputMode === 'managed') {
        expect(pdf).to.include({ state: 'available', bytes: output?.bytes, pageCount: 1 });
        expect(pdf?.fileName).to.match(/-R-1\.pdf$/);
        expect(output).not.to.have.any.keys('accessGuaranteedUntil', 'deleteAfter');
      } else {
        expect(answer).not.to.have.property('pdf');
        const { accessGuaranteedUntil = 0, deleteAfter = 0, createdAt = 0 } = output ?? {};
        expect(accessGuaranteedUntil).to.be.greaterThan(createdAt);
        expect(deleteAfter).to.be.at.least(accessGuaranteedUntil);
      }
    });

  describe('pass to the page as payload:', () => {
    const json = 'application/json; charset=utf-8';
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    const payloads: [string, Body, string, Buffer | string][] = [
      ['null if there is none', {}, json, 'null'],
      ['an empty object', { payload: {} }, json, '{}'],
      [
        'canonical JSON',
        { payload: { b: [1.0, 'ü'], a: { d: 1e21, c: null } } },
        json,
        '{"a":{"c":null,"d":1e+21},"b":[1,"ü"]}',
      ],
      [
        'a key named __proto__',
        { payload: JSON.parse('{"__proto__":{"a":1}}') },
        json,
        '{"__proto__":{"a":1}}',
      ],
      ['a JSON string', { payload: 'text' }, json, '"text"'],
      [
        'NUL in strings and keys, as an escape',
        { payload: { 'a\u0000': ['\u0000'] } },
        json,
        '{"a\\u0000":["\\u0000"]}',
      ],
      [
        'lone surrogates in strings and keys, as escapes',
        { payload: { '\udc00': '\ud800', '\udbff': ['x\udc00\ud800', '\ud83d\ude00'] } },
        json,
        '{"\\udbff":["x\\udc00\\ud800","😀"],"\\udc00":"\\ud800"}',
      ],
      ['only a lone surrogate', { payload: '\ud800' }, json, '"\\ud800"'],
      [
        'JSON of another type',
        { payload: [1], payloadMime: 'application/ld+json' },
        'application/ld+json',
        '[1]',
      ],
      [
        'a text',
        { payload: 'a;b\nü;😀', payloadMime: 'text/csv; charset=utf-8' },
        'text/csv; charset=utf-8',
        'a;b\nü;😀',
      ],
      ['NUL in a text', { payload: 'a\0b', payloadMime: 'text/plain' }, 'text/plain', 'a\0b'],
      ['an empty text', { payload: '', payloadMime: 'text/plain' }, 'text/plain', ''],
      [
        'bytes',
        { payloadBase64: bytes.toString('base64'), payloadMime: 'application/octet-stream' },
        'application/octet-stream',
        bytes,
      ],
    ];
    for (const [what, body, mime, expected] of payloads)
      it(what, async () => {
        const job = await create(body);
        expect(job.payloadHash).to.equal(sha256Of(expected));
        const { job: ended, logs } = await untilStatus(api(), job.id);
        expect(ended.status, ended.errorMessage).to.equal('succeeded');
        const entry = logs?.find(({ message }) => message.startsWith('payload '));
        const hex = Buffer.from(expected).toString('hex');
        expect(entry?.message).to.equal(`payload ${mime} ${hex}`);
      });

    it('10 MiB in base64', async () => {
      const payloadBase64 = Buffer.alloc(maxPayloadBytes, 7).toString('base64');
      const { deployId } = await deployPage(
        api().workspace.client,
        payloadPage.replace('text;', "'large';"),
      );
      const job = await create({ deployId, payloadBase64, payloadMime: 'application/x-large' });
      expect((await untilStatus(api(), job.id)).job.status).to.equal('succeeded');
    });
  });

  it('accept a business key of the largest length, in any script', async () => {
    const businessKey = '請😀'.repeat(85);
    const job = await create({ businessKey, outputMode: 'managed' });
    const { job: ended, pdf } = await untilStatus(api(), job.id);
    expect(ended).to.include({ status: 'succeeded', businessKey });
    expect(Buffer.byteLength(pdf?.fileName ?? '')).to.be.at.most(255);
  });

  it('fail with the error of the document', async () => {
    const { deployId } = await deployPage(api().workspace.client, rejectingPage);
    const { id } = await create({ deployId });
    const answer = await untilStatus(api(), id);
    expect(answer.job).to.include({ status: 'failed', errorCode: 'render_failed', attempt: 0 });
    expect(answer.job.errorMessage).to.include('no rate for CHF');
    expect(answer.job.finishedAt).to.be.a('number');
    expect(answer).not.to.have.any.keys('output', 'pdf');
    for (const operation of ['createOutputDownload', 'createOutputPreview'] as const)
      await expectRefusal(api(), operation, 'output_not_found', { params: { jobId: id } });
    await expectRefusal(api(), 'cancelRenderJob', 'render_job_not_cancelable', {
      params: { jobId: id },
    });
  });

  describe('of a url deploy', () => {
    const gates = new Map<string, () => void>();
    const createHosted = async (path: string, page: string) => {
      const { pages } = api();
      pages.byPath.set(path, (_request, response) => {
        response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
      });
      const body = { slug: uniqueSlug(), name: 'Hosted', type: 'url', targetUrl: pages.url + path };
      return (await expectSuccess(api(), 'createDeploy', { body })).deploy;
    };

    it('print the page with the payload, and have no version number, route or title', async () => {
      const { id: deployId } = await createHosted('/tell', logPayloadPage);
      const { id } = await create({ deployId, payload: { a: 1 } });
      const { job, logs } = await untilStatus(api(), id);
      expect(job, job.errorMessage).to.include({ status: 'succeeded' });
      expect(job.deployVersionId).to.match(/^ver_/);
      expect(job).not.to.have.any.keys(
        'deployVersionNo',
        'deployVersionRoute',
        'deployVersionTitle',
      );
      const entry = logs?.find(({ message }) => message.startsWith('payload '));
      expect(entry?.message).to.include(Buffer.from('{"a":1}').toString('hex'));
    });

    it('can only render latest', async () => {
      const { id: deployId } = await createHosted('/latest', '<p>Latest</p>');
      const { deployVersionId } = await create({ deployId, deployVersionId: 'latest' });
      for (const wanted of ['production', deployVersionId, newId('deployVersion')])
        await expectRefusal(api(), 'createRenderJob', 'deploy_type_conflict', {
          body: { deployId, deployVersionId: wanted },
        });
    });

    it('keep the targetUrl from their creation, and cannot be canceled while they are rendering', async () => {
      const { pages } = api();
      const arrived = Promise.withResolvers<void>();
      pages.byPath.set('/gate', (_request, response) => {
        arrived.resolve();
        gates.set('/gate', () => response.end('open'));
      });
      const gated = `<!doctype html><script>
        window.renderReady = fetch('/gate').then(() => console.error('first target'));
      </script>`;
      const { id: deployId } = await createHosted('/gated', gated);
      const { id } = await create({ deployId });
      const params = { jobId: id };
      await expectSuccess(api(), 'updateDeploy', {
        params: { deployId },
        body: { targetUrl: `${pages.url}/nothing` },
      });
      await arrived.promise;
      const { job, progress, ...rest } = await untilStatus(api(), id, 'rendering');
      expect(job.startedAt).to.be.a('number');
      expect(job).not.to.have.property('finishedAt');
      expect(progress).to.deep.equal({ since: job.startedAt });
      expect(rest).not.to.have.any.keys('output', 'pdf', 'attemptUsage');
      await expectRefusal(api(), 'cancelRenderJob', 'render_job_not_cancelable', { params });
      for (const operation of ['createOutputDownload', 'createOutputPreview'] as const)
        await expectRefusal(api(), operation, 'output_not_available', { params });
      gates.get('/gate')?.();
      const ended = await untilStatus(api(), id);
      expect(ended.job.status, ended.job.errorMessage).to.equal('succeeded');
      expect(ended.logs?.map(({ message }) => message)).to.include('first target');
    });

    it('need a plan with external network', async () => {
      const workspace = await api().service.createWorkspace();
      const { deploy } = await workspace.client.createDeploy({
        body: { slug: 'hosted', name: 'Hosted', type: 'url', targetUrl: 'http://example.com' },
      });
      const { sql } = api().service.database;
      await sql`update workspaces set plan = 'blank' where id = ${workspace.id}`;
      await expectRefusal(api(), 'createRenderJob', 'workspace_pro_required', {
        apiKey: workspace.apiKey,
        body: { deployId: deploy.id },
      });
    });
  });

  it(`are either canceled or rendered when a cancel races with the claim, ${races} times`, async () => {
    const { client, apiKey } = await api().service.createWorkspace();
    const { deployId } = await deployPage(client, '<!doctype html><p>Raced</p>');
    const wins = { claim: 0, cancel: 0 };
    const race = async (index: number): Promise<void> => {
      const { id } = await create({ deployId }, apiKey);
      const params = { jobId: id };
      await sleep((index / races) * latestCancelMs);
      const answer = await call(api(), 'cancelRenderJob', { apiKey, params });
      const { job, output } = await untilStatus(api(), id, undefined, apiKey);
      const canceled = answer.status === 200;
      if (!canceled) expect(answer.body).to.have.property('error', 'render_job_not_cancelable');
      expect(job.status).to.equal(canceled ? 'canceled' : 'succeeded');
      expect(output === undefined).to.equal(canceled);
      wins[canceled ? 'cancel' : 'claim']++;
    };
    for (let raced = 0; raced < races; raced += racesAtOnce)
      await Promise.all(Array.from({ length: racesAtOnce }, (_, at) => race(raced + at)));
    console.log(`      cancels that won: ${wins.cancel}, claims: ${wins.claim}`);
    expect(wins.cancel + wins.claim).to.equal(races);
  });

  describe('under a concurrency ceiling of two', () => {
    let workspace: Workspace;
    let crashing: string;
    let plain: string;
    before(async () => {
      workspace = await api().service.createWorkspace('blank');
      const { client } = workspace;
      crashing = (await deployPage(client, crashingPage)).deployId;
      plain = (await deployPage(client, '<!doctype html><p>Plain</p>')).deployId;
    });

    it('wait, show the reason, and can be canceled; the next jobs get their places', async () => {
      const { apiKey } = workspace;
      const held = [
        await create({ deployId: crashing }, apiKey),
        await create({ deployId: crashing }, apiKey),
      ];
      const [first, second] = held.map(({ id }) => id);
      for (const { id } of held) {
        const { job, progress, logs } = await untilStatus(api(), id, 'retry_scheduled', apiKey);
        expect(job).to.include({ attempt: 0 });
        expect(job).not.to.have.any.keys('finishedAt', 'errorCode', 'errorMessage');
        expect(
          logs?.some(({ stage, code }) => stage === 'retry' && code === 'render_crashed'),
        ).to.equal(true);
        expect(progress?.waitingFor ?? 'retry').to.equal('retry');
        await expectRefusal(api(), 'createOutputDownload', 'output_not_available', {
          apiKey,
          params: { jobId: id },
        });
      }
      const third = await create({ deployId: plain }, apiKey);
      const fourth = await create({ deployId: plain }, apiKey);
      await poll('the workflow to say what it waits for', async () => {
        const params = { jobId: third.id };
        const { progress } = await expectSuccess(api(), 'getRenderJob', { apiKey, params });
        return progress?.waitingFor === 'admission';
      });

      const cancel = (jobId = '') =>
        expectSuccess(api(), 'cancelRenderJob', { apiKey, params: { jobId } });
      const canceled = await cancel(third.id);
      expect(canceled.job).to.include({ status: 'canceled', attempt: 0 });
      expect(canceled.job.finishedAt).to.be.a('number');
      expect(canceled.job).not.to.have.any.keys('startedAt', 'errorCode');
      const params = { jobId: third.id };
      await expectRefusal(api(), 'cancelRenderJob', 'render_job_not_cancelable', {
        apiKey,
        params,
      });
      await expectRefusal(api(), 'createOutputPreview', 'output_not_found', { apiKey, params });

      expect((await cancel(first)).job.status).to.equal('canceled');
      expect((await untilStatus(api(), fourth.id, undefined, apiKey)).job.status).to.equal(
        'succeeded',
      );
      expect((await cancel(second)).job.status).to.equal('canceled');
    });
  });

  describe('are rejected', () => {
    const nonJson = { payloadMime: 'text/csv' };
    const bodies: [string, object, HttpErrorCode?][] = [
      ['without a deploy', { deployId: undefined }],
      ['with a number as deploy', { deployId: 1 }],
      ['with an unused deploy id', { deployId: unusedIds.deployId }, 'deploy_not_found'],
      ['with a malformed id', { deployId: '../../x' }, 'deploy_not_found'],
      [
        'with an unused version id',
        { deployVersionId: newId('deployVersion') },
        'deploy_version_not_found',
      ],
      ['with an alias that is not set', { deployVersionId: 'staging' }, 'alias_not_found'],
      ['with an empty version', { deployVersionId: '' }, 'alias_not_found'],
      ['with an unknown output mode', { outputMode: 'permanent' }],
      ['with an empty business key', { businessKey: '' }],
      ['with a business key of 256 characters', { businessKey: 'x'.repeat(256) }],
      ['with NUL in the business key', { businessKey: 'a\u0000' }],
      ['with a payload in two forms', { payload: 'x', payloadBase64: 'eA==', ...nonJson }],
      ['with malformed base64', { payloadBase64: 'not base64!', ...nonJson }],
      ['with base64 for URLs', { payloadBase64: '_-8=', ...nonJson }],
      ['with base64 without padding', { payloadBase64: 'eA', ...nonJson }],
      ['with base64 of JSON', { payloadBase64: 'e30=' }],
      ['with an object as text', { payload: {}, ...nonJson }],
      ['with another type and no payload', nonJson],
      ['with a malformed type', { payload: 'x', payloadMime: 'csv' }],
      ['with a type that splits a header', { payload: 'x', payloadMime: 'text/csv\r\nX: y' }],
      ['with a lone surrogate in a text, which is not UTF-8', { payload: '\udc00', ...nonJson }],
      ['with NUL in payload and business key', { payload: '\u0000', businessKey: '\u0000' }],
      ['with an unknown field', { priority: 1 }],
      ['with a payload over 10 MiB', { payload: 'x'.repeat(maxPayloadBytes) }, 'payload_too_large'],
      [
        'with bytes over 10 MiB',
        { payloadBase64: Buffer.alloc(maxPayloadBytes + 1).toString('base64'), ...nonJson },
        'payload_too_large',
      ],
    ];
    for (const [what, change, code = 'invalid_request' as const] of bodies)
      it(`${what}, and nothing is stored`, async () => {
        const { apiKey, id, client } = await api().service.createWorkspace();
        const slug = uniqueSlug();
        const { deploy } = await client.createDeploy({ body: { slug, name: slug } });
        const before = await countRows(api(), id);
        const body = { deployId: deploy.id, ...change };
        await expectRefusal(api(), 'createRenderJob', code, { apiKey, body });
        expect(await countRows(api(), id)).to.deep.equal(before);
      });

    it('of a deploy without a version', async () => {
      const { deploy } = await expectSuccess(api(), 'createDeploy', {
        body: { slug: uniqueSlug(), name: 'Empty' },
      });
      await expectRefusal(api(), 'createRenderJob', 'deploy_version_not_found', {
        body: { deployId: deploy.id },
      });
    });
  });

  for (const jobId of ['x', '%00', 'job_', unusedIds.jobId.toUpperCase(), unusedIds.deployId])
    it(`are not found by ${jobId}`, async () => {
      const operations = ['getRenderJob', 'cancelRenderJob', 'createOutputDownload'] as const;
      for (const operation of operations)
        await expectRefusal(api(), operation, 'render_job_not_found', { params: { jobId } });
    });
});
