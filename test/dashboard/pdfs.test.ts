import { expect } from 'chai';
import { renderDocument } from '../../client/render-document.ts';
import { deployFiles, deployPage, payloadPage } from '../support/documents.ts';
import { useDashboard, waitUntilLoaded } from './dashboard-fixture.ts';
import { createTeam, readPreview } from './team.ts';

describe('managed PDFs in the dashboard', function () {
  this.timeout(90_000);
  const dashboard = useDashboard();

  it('are found, shown, downloaded, shared by permanent links, and deleted', async () => {
    const team = await createTeam(dashboard());
    const { deployId } = await deployPage(team.api, payloadPage);
    const body = { deployId, payload: 1, businessKey: 'INV-1', outputMode: 'managed' } as const;
    const { pdf } = await renderDocument(team.api, body, { pollMs: 100 });
    const fileName = pdf?.fileName ?? '';
    await using opened = await dashboard().open(`${team.path}/pdfs?businessKey=nothing`, {
      as: team,
    });
    const { page, complaints } = opened;
    await page.getByRole('heading', { name: 'No PDF matches' }).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Show all' }).last().click();
    await page.getByRole('link', { name: fileName }).click();
    await page.getByRole('heading', { name: fileName, level: 1 }).waitFor();
    const shown = await readPreview(page, fileName);
    expect(shown.subarray(0, 5).toString()).to.equal('%PDF-');
    const download = page.waitForEvent(
      'download',
      (event) => event.suggestedFilename() === fileName,
    );
    await page.getByRole('button', { name: 'Download' }).click();
    await download;

    const createLink = page.getByRole('button', { name: 'Create link' });
    await createLink.click();
    const links = page.getByRole('list', { name: 'Permanent links' });
    await links.getByRole('listitem').waitFor();
    // The second click of a double click must not create a second link.
    await createLink.dispatchEvent('click', { detail: 2 });
    const url = (await links.locator('code').textContent()) ?? '';
    const fetched = await fetch(url);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(shown)).to.equal(true);
    await page.getByRole('button', { name: 'Delete the permanent link' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete link' }).click();
    await links.getByRole('listitem').waitFor({ state: 'hidden' });
    expect((await fetch(url)).status).to.equal(404);

    await page.getByRole('button', { name: 'Delete PDF' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete PDF' }).click();
    await page.getByRole('heading', { name: 'PDFs', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'No managed PDFs yet' }).waitFor();
    await page.goBack();
    await page
      .getByRole('alert')
      .getByText(/does not exist or was deleted/)
      .waitFor();
    expect(await page.getByRole('heading', { name: fileName }).count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });
});

describe('a document in the dashboard', function () {
  this.timeout(90_000);
  const dashboard = useDashboard();

  it('has its aliases set, moved and deleted, and can be deleted itself', async () => {
    const team = await createTeam(dashboard());
    const { deployId } = await deployPage(team.api, payloadPage);
    await deployFiles(team.api, { deployId }, { 'index.html': '<h1>Two</h1>' });
    await using opened = await dashboard().open(`${team.path}/documents/${deployId}`, { as: team });
    const { page } = opened;
    await waitUntilLoaded(page);
    const chooseVersion = async (name: RegExp) => {
      await page.getByRole('combobox', { name: 'Version' }).click();
      await page.getByRole('option', { name }).click();
    };
    const aliases = page.getByRole('table', { name: 'Aliases' });
    await page.getByRole('button', { name: 'Set an alias' }).click();
    await page.getByLabel('Name').fill('latest');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByText(/a name other than latest/).waitFor();
    await page.getByLabel('Name').fill('production');
    await chooseVersion(/^v1/);
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await aliases.getByRole('row', { name: /production v1/ }).waitFor();

    await page.getByRole('button', { name: 'Move production' }).click();
    await chooseVersion(/^v2/);
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await aliases.getByRole('row', { name: /production v2/ }).waitFor();
    const { items } = await team.api.listAliases({ params: { deployId } });
    expect(items).to.have.length(1);

    await page.getByRole('button', { name: 'Delete production' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete alias' }).click();
    await page.getByRole('heading', { name: 'No aliases' }).waitFor();

    await page.getByRole('button', { name: 'Delete document' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete document' }).click();
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor();
  });
});
