import { AxeBuilder } from '@axe-core/playwright';
import { expect } from 'chai';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { defaultPlans } from '../../contracts/plans.ts';
import { dashboardPath } from '../../contracts/processes/web-addresses.ts';
import { inTransaction } from '../../store/database/transactions.ts';
import { addMember } from '../../store/people/members.ts';
import { type Admin, createPerson, type TestPerson, useAdmin } from '../admin/admin-fixture.ts';
import { chromiumPath } from '../renderer/renderer-fixture.ts';

/** Longer than anything on a page should take, also on a busy machine. */
const patienceMs = 20_000;

let browser: Browser | undefined;
let users = 0;

export interface Dashboard {
  readonly admin: Admin;
  /** A page in a browser of its own, of somebody who has signed in, or of nobody. */
  open(path: string, options?: OpenOptions): Promise<DashboardPage>;
  /** Somebody who owns a workspace. */
  createOwner(options?: { operator?: boolean; plan?: string }): Promise<Owner>;
}

interface OpenOptions extends BrowserContextOptions {
  readonly as?: TestPerson;
  /** Of another service than that of all suites. */
  readonly origin?: string;
}

export interface Owner extends TestPerson {
  readonly workspaceId: string;
}

export interface DashboardPage extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained about: scripts that broke, and what the content security policy kept from happening. */
  readonly complaints: readonly string[];
}

/** One service and one browser for all suites here. */
export function useDashboard(): () => Dashboard {
  const admin = useAdmin();
  users++;
  before(async () => {
    browser ??= await chromium.launch({ executablePath: chromiumPath() });
  });
  after(async () => {
    if (--users === 0) await browser?.close();
  });
  return () => ({
    admin: admin(),
    open: (path, options) => openPage({ origin: admin().origin, ...options }, path),
    createOwner: (options) => createOwner(admin(), options),
  });
}

async function openPage(
  { origin, as, ...options }: OpenOptions & { origin: string },
  path: string,
): Promise<DashboardPage> {
  if (!browser) throw new Error('The browser is there from the first hook on.');
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(patienceMs);
  for (const cookie of as?.cookie.split('; ') ?? []) {
    const [name = '', value = ''] = cookie.split(/=(.*)/);
    await context.addCookies([{ name, value, url: origin }]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A refusal of the server is an answer; the page shows it.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
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

/** The page has read everything that it shows. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'));
}

/** The page is seen in this colour scheme, by somebody who left the choice to the system. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The page hears of it in its own time.
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

/** Nothing on the page is closed to somebody who cannot see it, or uses it by the keyboard, as far as axe-core can tell. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`).join('\n')}`,
  );
  expect(told, where).to.deep.equal([]);
}
