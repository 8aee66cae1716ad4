import { expect } from 'chai';
import { type Browser, chromium, type Page } from 'playwright';
import { tags } from '../../contracts/rest/route.ts';
import { requireEnv } from '../support/environment.ts';
import { useApi } from './api-fixture.ts';

/** Width of the narrowest common phone. */
const phone = { width: 360, height: 740 };

describe('the reference of the API at /docs', () => {
  const api = useApi();
  let browser: Browser;
  const url = () => new URL('/docs/', api().service.baseUrl).href;

  before(async () => {
    browser = await chromium.launch({ executablePath: requireEnv('CHROMIUM_PATH') });
  });
  after(() => browser?.close());

  it('is served without a key, with a policy that allows no inline script and no other origin', async () => {
    const response = await fetch(url().slice(0, -1));
    expect(response.status).to.equal(200);
    expect(response.url, 'relative addresses need the slash').to.equal(url());
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    expect(policy).to.include("default-src 'none'").and.include("script-src 'self';");
    expect(policy).not.to.match(/https?:|\*|unsafe-eval/);
    const unknown = await fetch(`${url()}package.json`);
    expect(unknown.status).to.equal(404);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`shows every tag in ${colorScheme}, without requests to other origins and without console errors`, async () => {
      await using page = await openReference(browser, url(), { colorScheme });
      const headings = await page.locator('h3.opblock-tag').allTextContents();
      for (const name of Object.keys(tags))
        expect(headings.filter((heading) => heading.startsWith(name))).to.have.lengthOf(1);
      const background = await page.evaluate(
        () => getComputedStyle(document.documentElement).backgroundColor,
      );
      expect(background === 'rgb(28, 32, 34)').to.equal(colorScheme === 'dark');
    });

  it('fits on a phone', async () => {
    await using page = await openReference(browser, url(), { viewport: phone });
    await page
      .locator('#operations-Render_jobs-createRenderJob')
      .getByRole('button')
      .first()
      .click();
    await page.locator('#operations-Render_jobs-createRenderJob .responses-table').waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).to.be.at.most(phone.width);
  });

  it('calls the API with a pasted key, which it stores only for this tab', async () => {
    await using page = await openReference(browser, `${url()}#/Deploys/listDeploys`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.getByLabel('auth-bearer-value').fill(api().workspace.apiKey);
    await page.getByLabel('Apply credentials').click();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await listDeploys(page), 'with the key').to.equal('200');
    await page.reload();
    expect(await listDeploys(page), 'after a reload').to.equal('200');
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(kept).not.to.include(api().workspace.apiKey);
  });
});

/** Opens the reference. Its disposal fails if the page has sent requests to other origins or logged errors. */
async function openReference(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<Page & AsyncDisposable> {
  const page = await browser.newPage(options);
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin) problems.push(request.url());
  });
  await page.goto(url);
  await page.locator('h3.opblock-tag').first().waitFor();
  return Object.assign(page, {
    async [Symbol.asyncDispose]() {
      await page.close();
      expect(problems).to.deep.equal([]);
    },
  });
}

/** Executes `listDeploys`, which must be open on the page, and returns the status that the page shows. */
async function listDeploys(page: Page): Promise<string> {
  const operation = page.locator('#operations-Deploys-listDeploys');
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = operation.locator('.live-responses-table tbody .response-col_status');
  return (await status.first().textContent())?.trim().slice(0, 3) ?? '';
}
