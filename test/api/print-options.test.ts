import { expect } from 'chai';
import type { z } from 'zod';
import { maxMetadataBytes } from '../../contracts/limits.ts';
import type { commitBody } from '../../contracts/rest/schemas/commits.ts';
import { deployPage, sha256Of } from '../support/documents.ts';
import { expectRefusal, expectSuccess, uniqueSlug, untilStatus, useApi } from './api-fixture.ts';

type Render = z.input<typeof commitBody>['render'];

const page = '<!doctype html><title>Paper</title><p>Paper</p>';
/** Width and height in points. */
const a5 = [420, 595];
const a5Landscape = [595, 420];

describe('print options of a version', function () {
  this.timeout(60_000);
  const api = useApi();

  const commit = (render: Partial<Render>) => deployPage(api().workspace.client, page, render);

  /** Prints a version once and returns the size of its paper and the answer of its job. */
  const print = async (deployId: string) => {
    const { job } = await expectSuccess(api(), 'createRenderJob', { body: { deployId } });
    const answer = await untilStatus(api(), job.id);
    const { access } = await expectSuccess(api(), 'createOutputDownload', {
      params: { jobId: job.id },
    });
    const pdf = Buffer.from(await (await fetch(access.url)).arrayBuffer()).toString('latin1');
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    const ignored = answer.logs?.filter(({ code }) => code === 'metadata_pdf_ignored') ?? [];
    return {
      paper: [Math.round(Number(width)), Math.round(Number(height))],
      ignored,
      warningCount: answer.warningCount,
    };
  };

  it('are render.print of the commit, which the version returns unchanged', async () => {
    const options = { format: 'A5', landscape: true } as const;
    const version = await commit({ print: options });
    expect(version.print).to.deep.equal(options);
    expect(version).not.to.have.any.keys('metadataJson', 'warnings');
    const { paper, ignored } = await print(version.deployId);
    expect(paper).to.deep.equal(a5Landscape);
    expect(ignored).to.deep.equal([]);
    const params = { deployId: version.deployId, versionId: version.id };
    const { deployVersion } = await expectSuccess(api(), 'getDeployVersion', { params });
    expect(deployVersion).to.deep.equal(version);
  });

  it('are render.metadata.pdf for clients that still send them there', async () => {
    const version = await commit({ metadata: { pdf: { format: 'A5' }, team: 'billing' } });
    expect(version.print).to.deep.equal({ format: 'A5' });
    expect(version).not.to.have.property('warnings');
    expect(JSON.parse(version.metadataJson ?? '')).to.deep.equal({
      pdf: { format: 'A5' },
      team: 'billing',
    });
    const { paper, ignored } = await print(version.deployId);
    expect(paper).to.deep.equal(a5);
    expect(ignored).to.deep.equal([]);
  });

  /** Values of `metadata.pdf` that are not print options. */
  const otherValues: unknown[] = [
    'invoice.pdf',
    7,
    null,
    [1],
    { formats: 'A5' },
    { scale: 3 },
    { a: {} },
  ];
  for (const pdf of otherValues)
    it(`do not come from metadata.pdf ${JSON.stringify(pdf)}, and the answer has a warning`, async () => {
      const metadata = { pdf, print: { scale: 'large' } };
      const { print: options, warnings, metadataJson } = await commit({ metadata });
      expect(options).to.equal(undefined);
      expect(JSON.parse(metadataJson ?? '')).to.deep.equal(metadata);
      expect(warnings).to.have.lengthOf(1);
      expect(warnings?.[0]?.code).to.equal('metadata_pdf_ignored');
      expect(warnings?.[0]?.message).to.include('render.print');
    });

  it('that were not applied are a warning in the log of each job, which does not count as a warning of the page', async () => {
    const { deployId, warnings } = await commit({ metadata: { pdf: { formats: 'A5' } } });
    const { paper, ignored, warningCount } = await print(deployId);
    expect(paper).not.to.deep.equal(a5);
    expect(warningCount).to.equal(0);
    expect(ignored).to.have.lengthOf(1);
    expect(ignored[0]).to.include({ ...warnings?.[0], level: 'warn', stage: 'claim' });
  });

  it('come from render.print if there are both, and the answer has a warning', async () => {
    const version = await commit({ print: { format: 'A5' }, metadata: { pdf: { format: 'A4' } } });
    expect(version.print).to.deep.equal({ format: 'A5' });
    expect(version.warnings?.map(({ code }) => code)).to.deep.equal(['metadata_pdf_ignored']);
    const { paper, ignored } = await print(version.deployId);
    expect(paper).to.deep.equal(a5);
    expect(ignored).to.have.lengthOf(1);
  });

  it('cause no warning if metadata.pdf is not print options or equals render.print', async () => {
    for (const pdf of ['invoice.pdf', { format: 'A5' }])
      expect(await commit({ print: { format: 'A5' }, metadata: { pdf } })).not.to.have.property(
        'warnings',
      );
  });

  describe('are rejected', () => {
    const refused: [string, unknown][] = [
      ['that are unknown', { formats: 'A4' }],
      ['that are wrong', { scale: 3 }],
      ['that contradict each other', { format: 'A4', width: '1in', height: '1in' }],
      ['with page ranges that take a parser long', { pageRanges: `1-${' '.repeat(200_000)}x` }],
      ['that are a list', []],
      ['that are null', null],
      ['that are text', 'A4'],
      [
        'larger than every list of versions could carry',
        { headerTemplate: 'x'.repeat(maxMetadataBytes) },
      ],
    ];
    for (const [what, options] of refused)
      it(what, async () => {
        const size = page.length;
        const file = { path: 'index.html', size };
        const body = {
          createDeploy: { slug: uniqueSlug(), name: 'Refused' },
          files: [{ ...file, sha256: sha256Of(page) }],
        };
        const { uploadSession } = await expectSuccess(api(), 'createUploadSession', { body });
        const { body: error } = await expectRefusal(
          api(),
          'commitUploadSession',
          'invalid_request',
          {
            params: { uploadSessionId: uploadSession.id },
            headers: { 'X-Upload-Token': uploadSession.uploadToken },
            body: {
              entries: [{ ...file, blobHash: sha256Of(page) }],
              render: { route: 'index.html', title: 'Title', print: options },
            },
          },
        );
        expect(error).to.have.property('message').that.includes('render.print');
      });
  });
});
