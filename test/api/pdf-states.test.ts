import { deployPage } from '../support/documents.ts';
import { type Answer, call, expectSuccess, toAnswer, untilStatus, useApi } from './api-fixture.ts';
import { testMatrix } from './state-matrix.ts';

describe('a managed PDF', function () {
  this.timeout(60_000);
  const api = useApi();
  let deployId: string;
  before(async () => {
    deployId = (await deployPage(api().workspace.client, '<!doctype html><p>Kept</p>')).deployId;
  });

  interface Kept {
    readonly pdfId: string;
    readonly jobId: string;
    readonly linkId: string;
    /** Address of the permanent link. */
    readonly url: string;
  }
  const keep = async (): Promise<Kept> => {
    const body = { deployId, outputMode: 'managed' };
    const { job } = await expectSuccess(api(), 'createRenderJob', { body });
    const pdfId = (await untilStatus(api(), job.id)).pdf?.id ?? '';
    const { link } = await expectSuccess(api(), 'createPermanentLink', { params: { pdfId } });
    return { pdfId, jobId: job.id, linkId: link.id, url: link.url };
  };
  const keepThen =
    (operation: 'deletePdf' | 'deleteOutput' | 'deletePermanentLink') => async () => {
      const kept = await keep();
      await expectSuccess(api(), operation, { params: { ...kept } });
      return kept;
    };

  const ask =
    (operation: Parameters<typeof call>[1]) =>
    (kept: Kept): Promise<Answer> =>
      call(api(), operation, { params: { ...kept } });
  /** Opens the permanent link without a key. */
  const follow = async ({ url }: Kept): Promise<{ status: number; body?: unknown }> => {
    const response = await fetch(url);
    if (!response.ok) return toAnswer(response);
    await response.arrayBuffer();
    return { status: response.status };
  };

  const available = {
    getPdf: '200',
    createPdfDownload: '200',
    createPdfPreview: '200',
    createPermanentLink: '201',
    listPermanentLinks: '200',
    'following the link': '200',
    deletePermanentLink: '204',
    deletePdf: '204',
  } as const;

  testMatrix({
    title: 'by its state and that of its permanent link',
    operations: {
      getPdf: ask('getPdf'),
      createPdfDownload: ask('createPdfDownload'),
      createPdfPreview: ask('createPdfPreview'),
      createPermanentLink: ask('createPermanentLink'),
      listPermanentLinks: ask('listPermanentLinks'),
      'following the link': follow,
      deletePermanentLink: ask('deletePermanentLink'),
      deletePdf: ask('deletePdf'),
    },
    changing: ['deletePermanentLink', 'deletePdf'],
    states: {
      available: { reach: keep, expected: available },
      'available, output deleted': { reach: keepThen('deleteOutput'), expected: available },
      'available, link deleted': {
        reach: keepThen('deletePermanentLink'),
        expected: {
          ...available,
          'following the link': '404 permanent_link_not_found',
          deletePermanentLink: '404 permanent_link_not_found',
        },
      },
      deleted: {
        reach: keepThen('deletePdf'),
        expected: {
          getPdf: '404 pdf_not_found',
          createPdfDownload: '404 pdf_not_found',
          createPdfPreview: '404 pdf_not_found',
          createPermanentLink: '404 pdf_not_found',
          listPermanentLinks: '404 pdf_not_found',
          'following the link': '404 permanent_link_not_found',
          deletePermanentLink: '404 pdf_not_found',
          deletePdf: '404 pdf_not_found',
        },
      },
    },
  });
});
