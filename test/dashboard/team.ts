import { expect } from 'chai';
import type { Page } from 'playwright';
import { type Client, createClient } from '../../client/client.ts';
import type { Dashboard, Owner } from './dashboard-fixture.ts';

/** One owner of a new workspace, with an API key and an API client for it. */
export interface Team extends Owner {
  readonly api: Client;
  readonly apiKey: string;
  /** The path of the workspace below `/dashboard`. */
  readonly path: string;
}

export async function createTeam(dashboard: Dashboard, plan = 'self_hosted'): Promise<Team> {
  const owner = await dashboard.createOwner({ plan });
  const { workspaceId } = owner;
  const { key: apiKey } = await owner.client.apiKeys.create.mutate({ workspaceId, name: 'test' });
  const { baseUrl } = dashboard.admin.service;
  const api = createClient({ baseUrl, apiKey });
  return { ...owner, apiKey, api, path: `/${workspaceId}` };
}

/** Long enough to open the page of the job while it renders. */
const slowMs = 4_000;

/** A document that takes `slowMs` to render. */
export const slowPage = `<!doctype html><title>Slow</title><h1>Slow</h1><script>
  window.renderReady = new Promise((resolve) => setTimeout(resolve, ${slowMs}));
</script>`;

/** A document that fails if its payload has `fail: true`. */
export const failingPage = `<!doctype html><title>Failing</title><h1>Failing</h1><script>
  window.renderReady = fetch('/__payload').then((answer) => answer.json()).then((payload) => {
    if (payload.fail) throw new Error('The address is missing.');
  });
</script>`;

/** Waits for the PDF preview on the page, and downloads its PDF. `title` is the title of the preview. */
export async function readPreview(page: Page, title: string): Promise<Buffer> {
  const preview = page.locator(`iframe[title="${title}"]`);
  await preview.waitFor();
  const answer = await fetch((await preview.getAttribute('src')) ?? '');
  expect(answer.headers.get('Content-Type')).to.equal('application/pdf');
  expect(answer.headers.get('Content-Disposition')).to.match(/^inline/);
  return Buffer.from(await answer.arrayBuffer());
}
