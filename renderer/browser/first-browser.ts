import type { RendererLog } from '../renderer-log.ts';
import { checkSandbox } from './check-sandbox.ts';
import type { Browser } from './launch-browser.ts';

export interface FirstBrowser {
  readonly browser: Browser;
  /** False if the browser runs without its sandbox. All other browsers are launched with the same value. */
  readonly sandbox: boolean;
}

/**
 * Launches a browser to prove that Chromium starts and is sandboxed. Without a sandbox it is used only if the operator allows
 * that. Where the sandbox cannot be checked, a warning is logged and the browser is used.
 *
 * @throws Error when Chromium does not start, or has no sandbox and needs one
 */
export async function launchFirstBrowser(
  launch: (sandbox: boolean) => Promise<Browser>,
  { allowNoSandbox, log }: { readonly allowNoSandbox: boolean; readonly log: RendererLog },
): Promise<FirstBrowser> {
  const launched = await launch(true).catch((error: Error) => error);
  const problem = launched instanceof Error ? launched : await closeIfUnsandboxed(launched, log);
  if (!(launched instanceof Error) && !problem) return { browser: launched, sandbox: true };

  // If this launch fails too, the sandbox is not the cause, and its error names the real one.
  const browser = await launch(false);
  if (allowNoSandbox) {
    log.warn({ err: problem }, noSandboxWarning);
    return { browser, sandbox: false };
  }
  await browser[Symbol.asyncDispose]();
  throw new Error(`${noSandboxAdvice} (${problem?.message})`, { cause: problem });
}

/**
 * Closes the browser if it is not sandboxed, and returns the reason. Returns undefined if it is sandboxed, or if that cannot be
 * checked.
 */
async function closeIfUnsandboxed(browser: Browser, log: RendererLog): Promise<Error | undefined> {
  const page = await browser.openPage();
  const state = await checkSandbox(browser);
  await page.close();
  if (state === 'unknown')
    log.warn({ platform: process.platform }, 'the sandbox cannot be checked on this platform');
  if (state !== 'not_sandboxed') return undefined;
  await browser[Symbol.asyncDispose]();
  return new Error('its renderer process has no system call filter or no namespaces of its own');
}

const noSandboxAdvice =
  "Chromium's sandbox is not available. Without it a hostile document has all the rights of the user that runs this worker. Allow unprivileged " +
  'user namespaces (sysctl kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0; in Docker, a ' +
  'seccomp profile that permits clone and unshare). If every document that is rendered here is trusted, you can set ' +
  'RENDERER_ALLOW_NO_SANDBOX=1 instead.';

const noSandboxWarning =
  'CHROMIUM RUNS WITHOUT ITS SANDBOX: a document that exploits a bug of the browser has all the rights of the user that runs this ' +
  'worker. It can read what that user can read: secrets, and the documents of other workspaces';
