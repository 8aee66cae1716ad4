import type { CdpSession } from './cdp-connection.ts';

/** The document's script threw or rejected. The message is its own. */
export class PageException extends Error {
  override readonly name = 'PageException';
}

/** Runs a function of page-scripts.ts in the page, or in another world of it, and waits for what it returns. */
export async function evaluate<A, R>(
  page: CdpSession,
  script: (argument: A) => R | Promise<R>,
  argument?: A,
  contextId?: number,
): Promise<R> {
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
    expression: `(${script})(${JSON.stringify(argument) ?? ''})`,
    awaitPromise: true,
    returnByValue: true,
    ...(contextId !== undefined && { contextId }),
  });
  if (!exceptionDetails) return result.value as R;
  const { exception, text } = exceptionDetails;
  const thrown = exception?.description ?? exception?.value;
  throw new PageException(thrown === undefined ? text : String(thrown));
}
