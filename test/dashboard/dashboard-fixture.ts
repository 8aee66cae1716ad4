import { AxeBuilder } from '@axe-core/playwright';
import { expect } from 'chai';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { defaultPlans } from '../../contracts/plans.ts';
import { dashboardPath } from '../../contracts/processes/web-addresses.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { addMember } from '../../store/people/members.ts';
import { type Admin, createPerson, type TestPerson, useAdmin } from '../admin/admin-fixture.ts';
import { chromiumPath } from '../renderer/renderer-fixture.ts';
import { shareBetweenSuites } from '../support/suite-resources.ts';

/** Longer than any step on a page takes, also on a busy machine. */
const pageTimeoutMs = 20_000;

export interface Dashboard {
  readonly admin: Admin;
  /** Opens a page in a new browser context. */
  open(path: string, options?: OpenOptions): Promise<DashboardPage>;
  /** Creates a person who owns a new workspace. */
  createOwner(options?: { operator?: boolean; plan?: string }): Promise<Owner>;
}

interface OpenOptions extends BrowserContextOptions {
  /** The person who is signed in. Without it, nobody is. */
  readonly as?: TestPerson;
  /** The origin of another service than the shared one. */
  readonly origin?: string;
}

export interface Owner extends TestPerson {
  readonly workspaceId: string;
}

export interface DashboardPage extends AsyncDisposable {
  readonly page: Page;
  /** Uncaught errors of scripts and errors in the console, such as what the content security policy blocked. */
  readonly complaints: readonly string[];
}

const useBrowser = shareBetweenSuites<Browser>(() =>
  chromium.launch({ executablePath: chromiumPath() }),
);

/** Gives the calling suite the service and the browser that all suites of this folder share. */
export function useDashboard(): () => Dashboard {
  const admin = useAdmin();
  const browser = useBrowser();
  return () => ({
    admin: admin(),
    open: (path, options) => openPage(browser(), { origin: admin().origin, ...options }, path),
    createOwner: (options) => createOwner(admin(), options),
  });
}

async function openPage(
  browser: Browser,
  { origin, as, ...options }: OpenOptions & { origin: string },
  path: string,
): Promise<DashboardPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(pageTimeoutMs);
  for (const cookie of as?.cookie.split('; ') ?? []) {
    const [name = '', value = ''] = cookie.split(/=(.*)/);
    await context.addCookies([{ name, value, url: origin }]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser logs each error status of the server. The page shows them to the user, so they are no complaint.
    const isErrorStatus = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isErrorStatus) complaints.push(message.text());
  });
  await page.goto(`${origin}${dashboardPath}${path}`);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

async function createOwner(
  admin: Admin,
  { operator = false, plan = 'self_hosted' }: { operator?: boolean; plan?: string } = {},
): Promise<Owner> {
  const person = await createPerson(admin, { operator });
  const { id: workspaceId } = await admin.tool.workspaces.create.mutate({ name: 'Letters', plan });
  const owner = { workspaceId, userId: person.id, role: 'owner' as const, now: Date.now() };
  await inTransaction(admin.service.database.sql, (tx) => addMember(tx, defaultPlans, owner));
  return { ...person, workspaceId };
}

/** Waits until the page has loaded all its data. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'));
}

/** Emulates an operating system that is set to this colour scheme, and waits until the page follows. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

/** Expects that axe-core finds no obstacle for people who use a screen reader or a keyboard. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const obstacles = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`).join('\n')}`,
  );
  expect(obstacles, where).to.deep.equal([]);
}
