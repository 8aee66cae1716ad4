import { apiBaseUrl } from './base-url.ts';

/** So that the shell leaves the text alone: in single quotes, each of its own ended, escaped and begun again. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A call of the REST API to paste into a shell in which DRS_API_KEY is set. `path` is below `/v1`. */
export function curl(method: 'GET' | 'POST', path: string, body?: unknown): string {
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${apiBaseUrl}${path}`,
    '-H "Authorization: Bearer $DRS_API_KEY"',
  ];
  if (body !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
