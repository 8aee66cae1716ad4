import type { CdpSession } from '../cdp/cdp-connection.ts';
import type { PageActivity } from './page-activity.ts';

/** One of our scripts failed in the page: only a document that breaks our assumptions makes it. */
export class PageScriptError extends Error {
  override readonly name = 'PageScriptError';
}

/**
 * A world of its own for our scripts, in the main frame of a page: the same document, but none of the globals and prototypes of
 * the document's scripts, which cannot see ours either. It ends with its document.
 */
export async function createWorld(
  page: CdpSession,
  { document }: Pick<PageActivity, 'document'>,
): Promise<number> {
  const world = { frameId: document?.frameId ?? '', worldName: 'printing' };
  return (await page.send('Page.createIsolatedWorld', world)).executionContextId;
}

/** Runs a function of ours in that world, and waits for what it returns. */
export async function evaluate<A, R>(
  page: CdpSession,
  contextId: number,
  script: (argument: A) => R | Promise<R>,
  argument: A,
): Promise<R> {
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
    expression: `(${script})(${JSON.stringify(argument)})`,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (!exceptionDetails) return result.value as R;
  const { exception, text } = exceptionDetails;
  throw new PageScriptError(exception?.description ?? text);
}
