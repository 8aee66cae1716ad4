import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright';
import { renderDocument, waitForRenderJob } from '../../client/render-document.ts';
import { canonicalJson } from '../../contracts/json.ts';
import { deployPage, payloadPage, sha256Of } from '../support/documents.ts';
import { expectAccessible, useDashboard, waitUntilLoaded } from './dashboard-fixture.ts';
import { createTeam, failingPage, readPreview, slowPage, type Team } from './team.ts';

const run = promisify(execFile);

/** Creates a job that waits. The team must have the plan `blank`, which runs two jobs at once: two slow jobs are started first. */
async function createWaitingJob({ api }: Team) {
  const slow = await deployPage(api, slowPage);
  const { deployId } = await deployPage(api, payloadPage);
  const blockers = [1, 2].map(() => api.createRenderJob({ body: { deployId: slow.deployId } }));
  await Promise.all(blockers);
  const { job } = await api.createRenderJob({
    body: { deployId, payload: { number: 'INV-1042' }, businessKey: 'INV-1042' },
  });
  return job;
}

/** Sets a global that is lost when the page is reloaded. */
const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { marked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'marked' in globalThis);

/** The usage of render jobs as text: `3 of 500`. */
const readUsedJobs = (page: Page): Promise<string | null> =>
  page.getByRole('meter', { name: 'Render jobs' }).getAttribute('aria-valuetext');

/** Chromium's layout shift score since the first paint: how much the visible content has moved. */
const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect();
          const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
          resolve(shifts.reduce((sum, { value }) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        // Without a shift there is no entry, so the observer is never called.
        setTimeout(() => resolve(0), 500);
      }),
  );

describe('a job in the dashboard', function () {
  this.timeout(90_000);
  const dashboard = useDashboard();

  it('changes from queued to succeeded on the open page, shows its PDF, and counts as usage', async () => {
    const team = await createTeam(dashboard(), 'blank');
    await using usage = await dashboard().open(`${team.path}/usage`, { as: team });
    expect(await readUsedJobs(usage.page)).to.equal('0 of 500');

    const job = await createWaitingJob(team);
    await using opened = await dashboard().open(`${team.path}/jobs/${job.id}`, { as: team });
    const { page, complaints } = opened;
    await page.getByText('The job is now: Queued').waitFor();
    await page.getByText(/Waiting for a slot/).waitFor();
    await mark(page);
    await page.getByText('The job is now: Succeeded').waitFor();
    expect(await isMarked(page), 'the same page').to.equal(true);
    const pdf = await readPreview(page, 'PDF of INV-1042');
    expect(pdf.subarray(0, 5).toString()).to.equal('%PDF-');
    expect(complaints, 'nothing blocked by the content security policy').to.deep.equal([]);

    await usage.page.reload();
    expect(await readUsedJobs(usage.page)).to.equal('3 of 500');
  });

  it('has a timeline with bars as long as its steps, and a table of the same numbers', async () => {
    const team = await createTeam(dashboard());
    const { deployId } = await deployPage(team.api, slowPage);
    const { job } = await team.api.createRenderJob({ body: { deployId } });
    await using opened = await dashboard().open(`${team.path}/jobs/${job.id}`, { as: team });
    const { page } = opened;
    await page.getByRole('row', { name: /In progress/ }).waitFor();
    expect(await page.getByRole('row', { name: /Until it ended/ }).count()).to.equal(0);
    await page.getByText('The job is now: Succeeded').waitFor();
    const { attempts } = await team.client.jobs.get.query({
      workspaceId: team.workspaceId,
      jobId: job.id,
    });
    const [attempt] = attempts;
    const bars = page.getByRole('list', { name: 'Attempt 1' }).getByRole('listitem');
    const widthOf = async (step: string) =>
      (await bars.filter({ hasText: step }).boundingBox())?.width ?? 0;
    await bars.first().waitFor();
    const pixelsPerMs = (await widthOf('Getting ready')) / (attempt?.readyMs ?? 0);
    const loadingMs = attempt?.loadMs ?? 0;
    expect(await widthOf('Loading')).to.be.closeTo(Math.max(3, pixelsPerMs * loadingMs), 1.5);
    await page.getByRole('row', { name: /Getting ready 4(\.\d)?s/ }).waitFor();
    await bars.filter({ hasText: 'Getting ready' }).focus();
    await page.getByRole('tooltip').filter({ hasText: 'Getting ready' }).waitFor();
  });

  it('can be canceled while it waits', async () => {
    const team = await createTeam(dashboard(), 'blank');
    const job = await createWaitingJob(team);
    await using opened = await dashboard().open(`${team.path}/jobs/${job.id}`, { as: team });
    const { page } = opened;
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('The job is now: Canceled').waitFor();
    const answer = await team.api.getRenderJob({ params: { jobId: job.id } });
    expect(answer.job.status).to.equal('canceled');
    await page.getByRole('button', { name: 'Cancel job' }).waitFor({ state: 'hidden' });
  });

  it('shows the message of the error catalogue when it fails, and its log can be filtered', async () => {
    const team = await createTeam(dashboard());
    const { deployId } = await deployPage(team.api, failingPage);
    const { job } = await renderDocument(
      team.api,
      { deployId, payload: { fail: true } },
      { pollMs: 100 },
    );
    await using opened = await dashboard().open(`${team.path}/jobs/${job.id}`, { as: team });
    const { page } = opened;
    await page.getByText('The document could not be rendered: correct what').waitFor();
    const log = page.getByRole('region', { name: 'Log entries' });
    const readEntries = () => log.getByRole('listitem').allTextContents();
    expect((await readEntries()).some((text) => text.includes('loaded in'))).to.equal(true);
    await page.getByRole('combobox', { name: 'Level' }).click();
    await page.getByRole('option', { name: 'Warnings and errors' }).click();
    const filtered = await readEntries();
    expect(filtered.some((text) => text.includes('The address is missing.'))).to.equal(true);
    expect(filtered.some((text) => text.includes('loaded in'))).to.equal(false);
  });

  it('says that hashing and the clipboard need https', async () => {
    const team = await createTeam(dashboard());
    const { deployId } = await deployPage(team.api, payloadPage);
    const { job } = await renderDocument(team.api, { deployId }, { pollMs: 100 });
    await using opened = await dashboard().open('/', { as: team });
    const { page, complaints } = opened;
    await page.addInitScript(() => {
      Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });
      Reflect.deleteProperty(Navigator.prototype, 'clipboard');
    });
    await page.goto(`${new URL(page.url()).origin}/dashboard${team.path}/jobs/${job.id}`);
    await page.getByRole('button', { name: "Copy the job's id" }).click();
    await page.getByRole('status').getByText('Select and copy').waitFor();
    await page.getByRole('button', { name: 'Render again' }).click();
    await page.getByRole('dialog').getByText('Needs https').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('says that its output was deleted', async () => {
    const team = await createTeam(dashboard());
    const { deployId } = await deployPage(team.api, payloadPage);
    const { job } = await renderDocument(team.api, { deployId, payload: 1 }, { pollMs: 100 });
    await using opened = await dashboard().open(`${team.path}/jobs/${job.id}`, { as: team });
    const { page } = opened;
    await page.getByRole('button', { name: 'Delete output' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete output' }).click();
    await page.getByText('The output was deleted').waitFor();
    const { output } = await team.api.getRenderJob({ params: { jobId: job.id } });
    expect(output?.state).to.equal('deleted');
  });
});

describe('the list of jobs', function () {
  this.timeout(90_000);
  const dashboard = useDashboard();
  let team: Team;
  let failingDeployId: string;
  before(async () => {
    team = await createTeam(dashboard());
    failingDeployId = (await deployPage(team.api, failingPage)).deployId;
    const { deployId: plainDeployId } = await deployPage(team.api, payloadPage);
    const render = (deployId: string, businessKey: string, payload: unknown) =>
      renderDocument(team.api, { deployId, businessKey, payload }, { pollMs: 50 });
    await Promise.all([
      render(failingDeployId, 'failed-1', { fail: true, number: 1 }),
      render(failingDeployId, 'failed-2', { fail: true, number: 2 }),
      render(failingDeployId, 'good-1', {}),
      render(plainDeployId, 'good-2', {}),
    ]);
  });

  /** The sorted business keys in the list, as soon as it has `count` rows. */
  const shownKeys = async (page: Page, count: number): Promise<string[]> => {
    const rows = page.getByRole('table', { name: 'Jobs' }).locator('tbody tr');
    await page.waitForFunction(
      (wanted) => document.querySelectorAll('tbody tr td a').length === wanted,
      count,
    );
    return (await rows.getByRole('link').allTextContents()).sort();
  };

  it('is filtered by state, document and key, and keeps the filter in the address', async () => {
    await using opened = await dashboard().open(`${team.path}/jobs`, { as: team });
    const { page, complaints } = opened;
    expect(await shownKeys(page, 4)).to.deep.equal(['failed-1', 'failed-2', 'good-1', 'good-2']);
    await page.getByRole('button', { name: 'Failed 2' }).click();
    expect(await shownKeys(page, 2)).to.deep.equal(['failed-1', 'failed-2']);
    expect(new URL(page.url()).searchParams.get('status')).to.equal('failed');
    await page.reload();
    expect(await shownKeys(page, 2)).to.deep.equal(['failed-1', 'failed-2']);

    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Business key').fill('good-2');
    expect(await shownKeys(page, 1)).to.deep.equal(['good-2']);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await shownKeys(page, 4)).to.have.length(4);
    expect(await page.getByLabel('Business key').inputValue()).to.equal('');

    const from = page.getByLabel('Requested from');
    await from.fill('2025-11-21T03:50');
    await from.focus();
    await page.keyboard.type('11212026');
    expect(await from.inputValue()).to.equal('2026-11-21T03:50');
    await from.blur();
    expect(await from.inputValue()).to.equal('2026-11-21T03:50');
    await page.getByRole('button', { name: 'Show all' }).click();

    await page.goto(`${page.url()}?deployId=${failingDeployId}&errorCode=render_failed`);
    expect(await shownKeys(page, 2)).to.deep.equal(['failed-1', 'failed-2']);
    await page.goto(`${page.url().split('?')[0]}?requestedFrom=${Date.now() + 60_000}`);
    await page.getByRole('heading', { name: 'No job matches' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('moves nothing when its rows load or change their state', async () => {
    const busy = await createTeam(dashboard(), 'blank');
    await createWaitingJob(busy);
    await using opened = await dashboard().open(`${busy.path}/jobs`, { as: busy });
    const { page } = opened;
    await page.getByRole('row', { name: /Queued INV-1042/ }).waitFor();
    await page.getByRole('row', { name: /Succeeded INV-1042/ }).waitFor();
    await page.getByRole('button', { name: 'Succeeded 3' }).waitFor();
    // A score below 0.1 counts as good (https://web.dev/articles/cls). This is a tenth of that.
    expect(await layoutShift(page)).to.be.below(0.01);
  });

  it('can be used by keyboard alone', async () => {
    await using opened = await dashboard().open(`${team.path}/jobs`, { as: team });
    const { page } = opened;
    await page.getByRole('button', { name: 'Failed 2' }).press('Enter');
    expect(await shownKeys(page, 2)).to.have.length(2);
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Failed 2');
    await page.getByRole('link', { name: 'failed-1' }).press('Enter');
    await page.getByRole('heading', { name: 'failed-1', level: 1 }).waitFor();
  });

  it('renders failed jobs again with payloads given as one list in any order', async () => {
    await using opened = await dashboard().open(`${team.path}/jobs?status=failed`, { as: team });
    const { page, complaints } = opened;
    await page.getByRole('checkbox', { name: /Choose the failed jobs shown \(2\)/ }).check();
    await page.getByRole('button', { name: 'Render again (2)' }).click();
    const dialog = page.getByRole('dialog');
    const payloads = [{ number: 2, fail: true }, { other: true }, { fail: true, number: 1 }];
    const startButton = dialog.getByRole('button', { name: 'Render 2 again' });
    await dialog.getByRole('textbox', { name: 'Payload as JSON' }).fill('{"fail": ');
    await dialog.getByRole('status').filter({ hasText: /JSON/ }).waitFor();
    await dialog
      .getByRole('textbox', { name: 'Payload as JSON' })
      .fill(JSON.stringify(payloads[0]));
    await dialog.getByText('Payloads for 1 of 2').waitFor();
    await dialog.getByRole('textbox', { name: 'Payload as JSON' }).fill(JSON.stringify(payloads));
    await dialog.getByText('Payloads for 2 of 2').waitFor();
    await expectAccessible(page, 'the dialog that renders again');
    // Newer failures push the chosen ones off the first page of the list while the dialog is open.
    const newer = Array.from({ length: 20 }, () =>
      team.api.createRenderJob({ body: { deployId: failingDeployId, payload: { fail: true } } }),
    );
    for (const { job } of await Promise.all(newer)) await waitForRenderJob(team.api, job.id, 100);
    await startButton.click();
    const link = dialog.getByRole('link', { name: 'failed-1' });
    await page.getByRole('button', { name: 'Failed 22' }).waitFor();
    await link.waitFor();
    const newJobId = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
    const { job } = await waitForRenderJob(team.api, newJobId, 100);
    expect(job.payloadHash).to.equal(sha256Of(canonicalJson(payloads[2])));
    expect(complaints).to.deep.equal([]);
  });
});

describe('the page of a version', function () {
  this.timeout(90_000);
  const dashboard = useDashboard();

  it('renders with the payload in its editor, and shows the same call as a command', async () => {
    const team = await createTeam(dashboard());
    const { deployId, id } = await deployPage(team.api, payloadPage);
    const path = `${team.path}/documents/${deployId}/versions/${id}`;
    await using opened = await dashboard().open(path, { as: team });
    const { page, complaints } = opened;
    await page.getByRole('cell', { name: 'index.html' }).waitFor();
    await page.getByRole('cell', { name: 'text/html; charset=utf-8' }).waitFor();
    const editor = page.getByRole('textbox', { name: 'Payload as JSON' });
    const render = page.getByRole('button', { name: 'Render', exact: true });
    await editor.fill('{"number": "INV-7');
    expect(await render.isDisabled()).to.equal(true);
    // Payloads may contain what UTF-8 and PostgreSQL text cannot represent.
    const payload = { number: "INV-7's", lines: [1, 2], 'any\u0000': '\ud800' };
    await editor.fill(JSON.stringify(payload));
    await page.getByText(/^Valid JSON/).waitFor();
    await render.click();
    const open = page.getByRole('link', { name: 'Open the job' });
    await open.waitFor();
    const jobId = (await open.getAttribute('href'))?.split('/').at(-1) ?? '';
    const pdf = await readPreview(page, `PDF of ${jobId}`);
    expect(pdf.subarray(0, 5).toString()).to.equal('%PDF-');
    const { job } = await team.api.getRenderJob({ params: { jobId } });
    expect(job.deployVersionId).to.equal(id);
    expect(job.payloadHash).to.equal(sha256Of(canonicalJson(payload)));

    const command = await page
      .getByRole('region', { name: 'Command that renders this payload' })
      .textContent();
    const env = { ...process.env, DRS_API_KEY: team.apiKey };
    const { stdout } = await run('sh', ['-c', command ?? ''], { env });
    const accepted = JSON.parse(stdout);
    expect(accepted.job.payloadHash).to.equal(job.payloadHash);
    expect(accepted.job.deployVersionId).to.equal(id);
    await waitUntilLoaded(page);
    expect(complaints).to.deep.equal([]);
  });
});
