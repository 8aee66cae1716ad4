import { expect } from 'chai';
import { type Client, createClient } from '../../client/client.ts';
import { renderDocument } from '../../client/render-document.ts';
import { servicePages, workspacePages } from '../../dashboard/pages.ts';
import { deployPage, payloadPage } from '../support/documents.ts';
import {
  expectAccessible,
  type Owner,
  setColorScheme,
  useDashboard,
  waitUntilLoaded,
} from './dashboard-fixture.ts';
import { failingPage } from './team.ts';

const widths = [1280, 360];
const schemes = ['light', 'dark'] as const;

/** The workspace pages that can also be opened in an empty workspace. */
const navigationPages = workspacePages.filter(({ navigation }) => navigation);

describe('every page of the dashboard', function () {
  this.timeout(120_000);
  const dashboard = useDashboard();
  let owner: Owner;
  let api: Client;
  let emptyWorkspaceId: string;
  /** The ids in the addresses of pages, by the names of their parameters. */
  let ids: Readonly<Record<string, string>>;
  before(async () => {
    const { admin, createOwner } = dashboard();
    owner = await createOwner({ operator: true });
    const { workspaceId } = owner;
    const empty = await owner.client.workspaces.create.mutate({ name: 'New', plan: 'pro' });
    emptyWorkspaceId = empty.id;
    await owner.client.invitations.create.mutate({ workspaceId, email: 'grace@example.com' });
    const { key } = await owner.client.apiKeys.create.mutate({ workspaceId, name: 'billing' });
    api = createClient({ baseUrl: admin.service.baseUrl, apiKey: key });
    const { endpoint } = await owner.client.webhooks.createEndpoint.mutate({
      workspaceId,
      url: admin.receiver.url('/accessibility'),
    });
    const delivery = await owner.client.webhooks.test.mutate({
      workspaceId,
      endpointId: endpoint.id,
    });
    const { deployId, id: versionId } = await deployPage(api, payloadPage);
    const alias = { alias: 'production', deployVersionId: versionId };
    await owner.client.aliases.set.mutate({ workspaceId, deployId, ...alias });
    const { job, pdf } = await renderDocument(
      api,
      { deployId, outputMode: 'managed' },
      { pollMs: 100 },
    );
    const pdfId = pdf?.id ?? '';
    await owner.client.permanentLinks.create.mutate({ workspaceId, pdfId });
    ids = { workspaceId, deployId, versionId, jobId: job.id, pdfId, deliveryId: delivery.id };
  });

  /** Checks a page at all widths and in both colour schemes. Without `as`, nobody is signed in. */
  const checkPage = async (path: string, as?: Owner) => {
    for (const width of widths) {
      const viewport = { width, height: 800 };
      await using opened = await dashboard().open(path, { viewport, ...(as && { as }) });
      const { page, complaints } = opened;
      await waitUntilLoaded(page);
      for (const colorScheme of schemes) {
        await setColorScheme(page, colorScheme);
        await expectAccessible(page, `${path}, ${width} px, ${colorScheme}`);
      }
      const overflowPx = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflowPx, `${path} scrolls sideways at ${width} px`).to.be.at.most(0);
      expect(complaints).to.deep.equal([]);
    }
  };

  for (const { path, title } of [...workspacePages, ...servicePages])
    it(`is accessible, in both colour schemes and on a phone: ${title}`, () =>
      checkPage(`/${path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? name)}`, owner));

  it('is accessible: a failed job', async () => {
    const { deployId } = await deployPage(api, failingPage);
    const body = { deployId, payload: { fail: true } };
    const { job } = await renderDocument(api, body, { pollMs: 100 });
    await checkPage(`/${owner.workspaceId}/jobs/${job.id}`, owner);
  });

  it('is accessible: signing in and invitations', async () => {
    await checkPage('/sign-in?error=sign_in_link_not_found');
    await checkPage('/invitation#nothing');
  });

  for (const { path, title } of navigationPages)
    it(`is accessible in an empty workspace: ${title}`, () =>
      checkPage(`/${path.replace(':workspaceId', emptyWorkspaceId)}`, owner));

  it('focuses its heading after a navigation by link, and sets the title of the tab', async () => {
    await using opened = await dashboard().open(`/${owner.workspaceId}`, { as: owner });
    const { page } = opened;
    await waitUntilLoaded(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal(
      'Skip to content',
    );
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await page.title()).to.equal('Members · Document rendering');
  });

  it('has its navigation in a drawer on a phone, which opens and closes by keyboard', async () => {
    const viewport = { width: 360, height: 740 };
    await using opened = await dashboard().open(`/${owner.workspaceId}`, { as: owner, viewport });
    const { page } = opened;
    const open = page.getByRole('button', { name: 'Open navigation' });
    await open.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Usage' }).waitFor();
    await expectAccessible(page, 'the drawer');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await open.press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Usage' }).press('Enter');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('can be shown light, dark, and as the system setting', async () => {
    await using opened = await dashboard().open(`/${owner.workspaceId}`, {
      as: owner,
      colorScheme: 'light',
    });
    const { page } = opened;
    const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
    await page.getByRole('button', { name: 'Account: Person' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await scheme()).to.equal('dark');
    await page.reload();
    expect(await scheme()).to.equal('dark');
    await page.getByRole('button', { name: 'Account: Person' }).click();
    await page.getByRole('menuitemradio', { name: 'System' }).click();
    expect(await scheme()).to.equal('light');
  });
});
