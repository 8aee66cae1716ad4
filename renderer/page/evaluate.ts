import type { CdpSession } from '../cdp/cdp-connection.ts';
import type { PageActivity } from './page-activity.ts';

/** A script of the renderer failed in the page, because the document changed functions of the browser that the script needs. */
export class PageScriptError extends Error {
  override readonly name = 'PageScriptError';
}

/**
 * Creates an isolated world for the scripts of the renderer, in the main frame of a page. The world shares the
 * document with the scripts of the page, but not their globals and prototypes. It ends with the document.
 *
 * @returns id of its execution context
 */
export async function createIsolatedWorld(
  page: CdpSession,
  { document }: Pick<PageActivity, 'document'>,
): Promise<number> {
  const world = { frameId: document?.frameId ?? '', worldName: 'printing' };
  return (await page.send('Page.createIsolatedWorld', world)).executionContextId;
}

/**
 * Runs a function in an isolated world of the page, and waits for its result. The function is sent as its source, so it must not
 * use anything from outside itself.
 *
 * @throws PageScriptError when the function throws
 */
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
