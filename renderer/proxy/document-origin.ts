import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProxyJob } from './proxy-job.ts';

const readMethods = new Set(['GET', 'HEAD']);

/** Answers `/__payload`. Only the document's own scripts may read it: no sniffing, no other origin, no cache. */
export function servePayload(
  request: IncomingMessage,
  response: ServerResponse,
  payload: ProxyJob['payload'],
): void {
  if (refusesMethod(request, response)) return;
  response.writeHead(200, {
    'content-type': payload.mime,
    'content-length': payload.bytes.byteLength,
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : payload.bytes);
}

/** Answers a file of the package by its path, or the `index.html` of a folder, with the content type of the version, else 404. */
export async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  job: ProxyJob,
  pathname: string,
): Promise<void> {
  if (refusesMethod(request, response)) return;
  const path = filePath(pathname);
  const file = path === undefined ? undefined : await readFile(job, path);
  if (!file) {
    response.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  response.writeHead(200, { 'content-type': file.mime, 'content-length': file.bytes.byteLength });
  response.end(request.method === 'HEAD' ? undefined : file.bytes);
}

const indexFile = 'index.html';

/** URL path of a file of the package; of the index of a folder, the folder's. */
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
    // Not the document's fault: a page with a file missing must not become a PDF.
    job.onReadError(error);
    throw error;
  }
}

function filePath(pathname: string): string | undefined {
  try {
    const path = decodeURIComponent(pathname).slice(1).normalize('NFC');
    return path === '' || path.endsWith('/') ? path + indexFile : path;
  } catch {
    return undefined;
  }
}

function refusesMethod(request: IncomingMessage, response: ServerResponse): boolean {
  if (readMethods.has(request.method ?? '')) return false;
  response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end();
  return true;
}
