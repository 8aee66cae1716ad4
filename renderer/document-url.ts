import { type DocumentRoute, resolveRoute } from '../contracts/rest/document-route.ts';
import type { PrintRequest } from './print-request.ts';
import { filePathToUrlPath } from './proxy/serve-document.ts';
import { RenderError } from './render-error.ts';

/**
 * Returns the address that the browser opens: the target URL, or the file of the route at `http://<jobId>.localhost`.
 *
 * @throws RenderError `render_failed` when the target URL is not http or https
 */
export function documentUrl({ document, jobId, pdf }: PrintRequest): URL {
  if (document.type === 'package') {
    const { route, files } = document;
    const { filePath, search, hash } = resolveRoute(route, files.has) ?? routeToMissingFile(route);
    const path = filePathToUrlPath(filePath, pdf);
    return new URL(path + search + hash, `http://${jobId}.localhost`);
  }
  const url = URL.parse(document.targetUrl);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new RenderError(
    'render_failed',
    'The target URL does not start with http:// or https://: correct the targetUrl of the deploy.',
  );
}

/** A commit checks that the file of the route exists. If it is missing all the same, the document answers 404. */
const routeToMissingFile = (filePath: string): DocumentRoute => ({
  filePath,
  search: '',
  hash: '',
});
