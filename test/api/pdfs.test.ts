import { expect } from 'chai';
import { deployPage } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import type { Workspace } from '../support/service.ts';
import { expectRefusal, expectSuccess, untilStatus, useApi } from './api-fixture.ts';

describe('managed PDFs', function () {
  this.timeout(60_000);
  const api = useApi();
  let workspace: Workspace;
  let deployId: string;
  before(async () => {
    workspace = await api().service.createWorkspace();
    deployId = (await deployPage(workspace.client, '<!doctype html><p>Kept</p>')).deployId;
  });

  const withApiKey = <T extends object>(input: T) => ({ apiKey: workspace.apiKey, ...input });

  /** Renders a document. Returns the ids of its job and its managed PDF (empty if it has none), and the size of the output. */
  const render = async (businessKey = 'kept', outputMode = 'managed') => {
    const body = { deployId, businessKey, outputMode };
    const { job } = await expectSuccess(api(), 'createRenderJob', withApiKey({ body }));
    const { pdf, output } = await untilStatus(api(), job.id, undefined, workspace.apiKey);
    return { jobId: job.id, pdfId: pdf?.id ?? '', bytes: output?.bytes ?? 0 };
  };

  it('are made only by managed jobs, and have their origin', async () => {
    const { jobId, pdfId, bytes } = await render('INV-1');
    const { pdf } = await expectSuccess(api(), 'getPdf', withApiKey({ params: { pdfId } }));
    expect(pdf).to.include({
      renderJobId: jobId,
      deployId,
      businessKey: 'INV-1',
      bytes,
      pageCount: 1,
    });
    expect((await render('INV-2', 'transient')).pdfId).to.equal('');
  });

  it('are listed newest first, with filters, and without gaps between pages', async () => {
    const listed = await api().service.createWorkspace();
    const { deployId: other } = await deployPage(listed.client, '<!doctype html><p>Listed</p>');
    const made: { id: string; createdAt: number; businessKey: string }[] = [];
    for (const businessKey of ['a', 'b', 'a']) {
      const body = { deployId: other, businessKey, outputMode: 'managed' };
      const { job } = await expectSuccess(api(), 'createRenderJob', {
        apiKey: listed.apiKey,
        body,
      });
      const { pdf } = await untilStatus(api(), job.id, undefined, listed.apiKey);
      if (pdf) made.unshift({ id: pdf.id, createdAt: pdf.createdAt, businessKey });
    }
    const list = async (query: Record<string, string | number>) => {
      const answer = await expectSuccess(api(), 'listPdfs', { apiKey: listed.apiKey, query });
      return { ids: answer.items.map(({ id }) => id), nextCursor: answer.nextCursor };
    };
    const ids = made.map(({ id }) => id);
    const middle = made[1]?.createdAt ?? 0;
    expect((await list({})).ids).to.deep.equal(ids);
    expect((await list({ businessKey: 'b' })).ids).to.deep.equal([ids[1]]);
    expect((await list({ deployId: other })).ids).to.deep.equal(ids);
    expect((await list({ deployId })).ids).to.deep.equal([]);
    expect((await list({ createdAfter: middle })).ids).to.deep.equal([ids[0]]);
    expect((await list({ createdBefore: middle })).ids).to.deep.equal([ids[2]]);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.ids, ...second.ids]).to.deep.equal(ids);
    expect(second.nextCursor).to.equal(undefined);
    await expectRefusal(api(), 'listPdfs', 'invalid_cursor', {
      apiKey: listed.apiKey,
      query: { businessKey: 'a', cursor: first.nextCursor ?? '' },
    });
  });

  for (const [operation, disposition] of [
    ['createPdfDownload', 'attachment'],
    ['createPdfPreview', 'inline'],
  ] as const)
    it(`have links by ${operation} as ${disposition}, until they are deleted`, async () => {
      const { pdfId } = await render();
      const { access } = await expectSuccess(api(), operation, withApiKey({ params: { pdfId } }));
      const response = await fetch(access.url);
      expect(response.headers.get('Content-Disposition')).to.match(new RegExp(`^${disposition};`));
      await response.arrayBuffer();
      await expectSuccess(api(), 'deletePdf', withApiKey({ params: { pdfId } }));
      expect((await fetch(access.url)).status).to.equal(404);
      await expectRefusal(api(), operation, 'pdf_not_found', withApiKey({ params: { pdfId } }));
    });

  const liveStorage = async () =>
    (await expectSuccess(api(), 'getUsage', withApiKey({}))).liveStorage;
  const outputLinks = ['createOutputDownload', 'createOutputPreview'] as const;

  it('stay when the output of their job is deleted, with their links and storage', async () => {
    const { pdfId, jobId } = await render();
    const { access } = await expectSuccess(
      api(),
      'createPdfPreview',
      withApiKey({ params: { pdfId } }),
    );
    const { link } = await expectSuccess(
      api(),
      'createPermanentLink',
      withApiKey({ params: { pdfId } }),
    );
    const before = await liveStorage();
    await expectSuccess(api(), 'deleteOutput', withApiKey({ params: { jobId } }));
    expect(await liveStorage()).to.deep.equal(before);
    for (const url of [access.url, link.url]) expect((await fetch(url)).status).to.equal(200);
    await expectSuccess(api(), 'createPdfDownload', withApiKey({ params: { pdfId } }));
    for (const operation of outputLinks)
      await expectRefusal(api(), operation, 'output_not_found', withApiKey({ params: { jobId } }));
    await expectRefusal(
      api(),
      'deleteOutput',
      'output_not_found',
      withApiKey({ params: { jobId } }),
    );
  });

  it('delete the output of their job with them: its links, its blob and its storage', async () => {
    const before = await liveStorage();
    const { pdfId, jobId, bytes } = await render();
    const { access } = await expectSuccess(
      api(),
      'createOutputDownload',
      withApiKey({ params: { jobId } }),
    );
    expect((await fetch(access.url)).status).to.equal(200);
    const kept = await liveStorage();
    expect(kept.managedPdfStorageBytes).to.equal(before.managedPdfStorageBytes + bytes);
    await expectSuccess(api(), 'deletePdf', withApiKey({ params: { pdfId } }));
    expect(await liveStorage()).to.deep.equal(before);
    expect((await fetch(access.url)).status, 'the blob is gone').to.equal(404);
    const { output, pdf } = await expectSuccess(
      api(),
      'getRenderJob',
      withApiKey({ params: { jobId } }),
    );
    expect(output).to.include({ state: 'deleted', deleteReason: 'manual' });
    expect(output?.deletedAt).to.be.a('number');
    expect(pdf?.state).to.equal('deleted');
    for (const operation of [...outputLinks, 'deleteOutput'] as const)
      await expectRefusal(api(), operation, 'output_not_found', withApiKey({ params: { jobId } }));
  });

  it('free their storage even if the output of their job was deleted before', async () => {
    const before = await liveStorage();
    const { pdfId, jobId } = await render();
    await expectSuccess(api(), 'deleteOutput', withApiKey({ params: { jobId } }));
    await expectSuccess(api(), 'deletePdf', withApiKey({ params: { pdfId } }));
    expect(await liveStorage()).to.deep.equal(before);
  });

  it('do not exist for a transient output: its deletion frees blob and storage', async () => {
    const before = await liveStorage();
    const { jobId, bytes } = await render('INV-3', 'transient');
    const { access } = await expectSuccess(
      api(),
      'createOutputDownload',
      withApiKey({ params: { jobId } }),
    );
    const kept = await liveStorage();
    expect(kept.renderOutputStorageBytes).to.equal(before.renderOutputStorageBytes + bytes);
    await expectSuccess(api(), 'deleteOutput', withApiKey({ params: { jobId } }));
    expect(await liveStorage()).to.deep.equal(before);
    expect((await fetch(access.url)).status).to.equal(404);
  });

  it('are not found by any operation after their deletion', async () => {
    const { pdfId } = await render();
    await expectSuccess(api(), 'deletePdf', withApiKey({ params: { pdfId } }));
    const linkId = 'lnk_01jd2m5k8xe7v9q4t6w3r1n0ab';
    for (const operation of [
      'getPdf',
      'deletePdf',
      'createPdfDownload',
      'createPdfPreview',
      'listPermanentLinks',
      'createPermanentLink',
      'deletePermanentLink',
    ] as const)
      await expectRefusal(
        api(),
        operation,
        'pdf_not_found',
        withApiKey({ params: { pdfId, linkId } }),
      );
  });

  describe('have permanent links', () => {
    const link = async () => {
      const { pdfId, bytes, jobId } = await render('Zoë');
      const { link: made } = await expectSuccess(
        api(),
        'createPermanentLink',
        withApiKey({ params: { pdfId } }),
      );
      return { ...made, bytes, jobId };
    };

    it('that work without a key and must not be cached', async () => {
      const { url, bytes } = await link();
      const response = await fetch(url);
      const content = new Uint8Array(await response.arrayBuffer());
      expect(response.status).to.equal(200);
      expect(content).to.have.lengthOf(bytes);
      expect(response.headers.get('Cache-Control')).to.match(/no-store/);
      expect(response.headers.get('Content-Type')).to.equal('application/pdf');
      expect(response.headers.get('Content-Disposition')).to.match(
        /filename\*=UTF-8''.*Zo%C3%AB\.pdf/,
      );
      const head = await fetch(url, { method: 'HEAD' });
      expect(head.headers.get('Content-Length')).to.equal(String(bytes));
    });

    it('that support ranges', async () => {
      const { url, bytes } = await link();
      const ranges: [string, number, string | null, number][] = [
        ['bytes=0-4', 206, `bytes 0-4/${bytes}`, 5],
        [`bytes=${bytes - 3}-`, 206, `bytes ${bytes - 3}-${bytes - 1}/${bytes}`, 3],
        ['bytes=-2', 206, `bytes ${bytes - 2}-${bytes - 1}/${bytes}`, 2],
        [`bytes=${bytes}-`, 416, `bytes */${bytes}`, 0],
        ['bytes=0-1,5-6', 200, null, bytes],
        ['nonsense', 200, null, bytes],
      ];
      for (const [Range, status, contentRange, length] of ranges) {
        const response = await fetch(url, { headers: { Range } });
        const content = await response.arrayBuffer();
        expect(response.status, Range).to.equal(status);
        expect(response.headers.get('Content-Range'), Range).to.equal(contentRange);
        expect(content.byteLength, Range).to.equal(length);
      }
    });

    it('that are listed with their address, and stop working when they are deleted', async () => {
      const { url, pdfId, id } = await link();
      const list = () =>
        expectSuccess(api(), 'listPermanentLinks', withApiKey({ params: { pdfId } }));
      expect((await list()).items).to.have.lengthOf(1);
      expect((await list()).items[0]).to.include({ id, url, pdfId });
      await expectSuccess(
        api(),
        'deletePermanentLink',
        withApiKey({ params: { pdfId, linkId: id } }),
      );
      expect((await fetch(url)).status).to.equal(404);
      expect((await list()).items).to.deep.equal([]);
      const again = withApiKey({ params: { pdfId, linkId: id } });
      await expectRefusal(api(), 'deletePermanentLink', 'permanent_link_not_found', again);
    });

    it('that answer with an error, and not with the headers of a PDF, when the PDF cannot be read', async () => {
      const { url, pdfId } = await link();
      const { sql } = api().service.database;
      await sql`update pdfs set blob_key = blob_key || '.gone' where id = ${pdfId}`;
      const answer = await fetch(url, { headers: { Range: 'bytes=0-9' } });
      expect(answer.status).to.equal(404);
      expect(await answer.json()).to.include({ error: 'permanent_link_not_found' });
      expect(answer.headers.get('Content-Type')).to.include('application/json');
      for (const header of ['Content-Disposition', 'Content-Range', 'Accept-Ranges'])
        expect(answer.headers.get(header), header).to.equal(null);
    });

    it('that stop working when their PDF is deleted', async () => {
      const { url, pdfId } = await link();
      await expectSuccess(api(), 'deletePdf', withApiKey({ params: { pdfId } }));
      expect((await fetch(url)).status).to.equal(404);
    });

    it('whose tokens are neither stored nor logged', async () => {
      const { url } = await link();
      await (await fetch(url)).arrayBuffer();
      const token = url.split('/').at(-1) ?? '';
      const rows = await api().service.database.sql`select * from permanent_links`;
      expect(JSON.stringify(rows)).not.to.include(token);
      expect(JSON.stringify(api().service.api.lines)).not.to.include(token);
    });

    it('that answer 404 for a wrong token', async () => {
      const { url } = await link();
      expect((await fetch(`${url}x`)).status).to.equal(404);
    });
  });

  it('are not visible to another workspace', async () => {
    const { pdfId } = await render();
    for (const operation of ['getPdf', 'deletePdf', 'createPermanentLink'] as const)
      await expectRefusal(api(), operation, 'pdf_not_found', { params: { pdfId } });
    await poll('still there', async () =>
      expectSuccess(api(), 'getPdf', withApiKey({ params: { pdfId } })),
    );
  });
});
