import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProxyJob } from './proxy-job.ts';

const readMethods = new Set(['GET', 'HEAD']);

/** Answers `/__payload`. The headers let only scripts of the document read it: no sniffing, no other origin, no cache. */
export function servePayload(
  request: IncomingMessage,
  response: ServerResponse,
  payload: ProxyJob['payload'],
): void {
  if (rejectsMethod(request, response)) return;
  response.writeHead(200, {
    'content-type': payload.mime,
    'content-length': payload.bytes.byteLength,
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : payload.bytes);
}

/** Answers with a file of the package, or the `index.html` of a folder, and its content type; with 404 if there is none. */
export async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  job: ProxyJob,
  pathname: string,
): Promise<void> {
  if (rejectsMethod(request, response)) return;
  const path = urlPathToFilePath(pathname);
  const file = path === undefined ? undefined : await readFile(job, path);
  if (!file) {
    response.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  response.writeHead(200, { 'content-type': file.mime, 'content-length': file.bytes.byteLength });
  response.end(request.method === 'HEAD' ? undefined : file.bytes);
}

const indexFile = 'index.html';

/** Returns the URL path of a file of the package. With `indexAsFolder`, an `index.html` gets the path of its folder. */
export function filePathToUrlPath(
  path: string,
  { indexAsFolder }: { indexAsFolder: boolean },
): string {
  const names = path.split('/');
  if (indexAsFolder && names.at(-1) === indexFile) names[names.length - 1] = '';
  return `/${names.map(encodeURIComponent).join('/')}`;
}

async function readFile(job: ProxyJob, path: string) {
  try {
    return await job.files?.read(path);
  } catch (error) {
    // The document is not at fault, and it must not be printed without the file.
    job.onReadError(error);
    throw error;
  }
}

/** Returns undefined for a path that is not valid percent-encoding. */
function urlPathToFilePath(pathname: string): string | undefined {
  try {
    const path = decodeURIComponent(pathname).slice(1).normalize('NFC');
    return path === '' || path.endsWith('/') ? path + indexFile : path;
  } catch {
    return undefined;
  }
}

/** Answers 405 and returns true for a method that does not read. */
function rejectsMethod(request: IncomingMessage, response: ServerResponse): boolean {
  if (readMethods.has(request.method ?? '')) return false;
  response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end();
  return true;
}
