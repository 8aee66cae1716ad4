import { apiBaseUrl } from '../../base-url.ts';
import { commitCommands } from '../documents/first-version-commands.ts';

/** What is typed to get from nothing to a PDF: plain shell and curl, in one terminal, one after another. */

/** `key` is the API key, or what stands for it. */
export const environmentCommand = (key: string): string =>
  `export DRS_BASE_URL='${apiBaseUrl}' DRS_API_KEY='${key}'`;

export const listCommand = `curl -sS "$DRS_BASE_URL/deploys" -H "Authorization: Bearer $DRS_API_KEY"`;

export const deployCommands = commitCommands({ createDeploy: { slug: 'hello', name: 'Hello' } });

/** Of the document that there is, else of the one that the commands before have made. */
export const renderCommand = (deployId = "'$deploy'"): string =>
  `job=$(api "$DRS_BASE_URL/render-jobs" -d '{
  "deployId": "${deployId}", "payload": {"name": "Ada"}}' | value id)`;

export const fetchCommands = `until api "$DRS_BASE_URL/render-jobs/$job" | grep -Eq '"status":"(succeeded|failed)"'; do sleep 1; done
curl -sS -o hello.pdf "$(api -X POST "$DRS_BASE_URL/render-jobs/$job/output-download" | value url)"`;
