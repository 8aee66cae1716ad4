import { apiCompare, type Diff } from 'api-smart-diff';

/**
 * Lists what breaks clients of the old OpenAPI document (REST 9.2), one line for each change. Additions break nothing.
 *
 * api-smart-diff resolves the references and rates the changes. `isUnderrated` finds the breaking ones that it rates too low.
 */
export function findBreakingChanges(before: object, after: object): string[] {
  const { diffs } = apiCompare(withWebhooksAsAnswers(before), withWebhooksAsAnswers(after));
  const lines = diffs
    // Changes of a shared schema are reported again at each use, where it is known if it is a request or an answer.
    .filter(({ path: [first, second] }) => first !== 'components' || second !== 'schemas')
    .filter((diff) => diff.type === 'breaking' || isUnderrated(diff))
    .map(toLine);
  return [...new Set(lines)];
}

interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, object>>;
  readonly webhooks?: Readonly<Record<string, { readonly post?: { requestBody?: object } }>>;
}

/** api-smart-diff ignores webhooks. The service sends their bodies, so they have the rules of answers. */
function withWebhooksAsAnswers({ webhooks = {}, ...document }: OpenApiDocument): object {
  const paths = Object.entries(webhooks).map(([name, { post }]) => [
    `/webhooks/${name}`,
    { post: { responses: { '200': { description: 'The webhook', ...post?.requestBody } } } },
  ]);
  return { ...document, paths: { ...document.paths, ...Object.fromEntries(paths) } };
}

/** Keywords of JSON Schema that api-smart-diff does not know. A change of them may refuse a request that was accepted. */
const conditionKeywords = ['if', 'then', 'else', 'dependentRequired'];

/**
 * True for a change that breaks clients although api-smart-diff does not rate it as breaking. It assumes that servers ignore unknown
 * fields, but ours refuses them. It also allows too many changes of answers.
 */
function isUnderrated({ action, path }: Diff): boolean {
  const [last, parent] = [path.at(-1), path.at(-2)];
  if (last === 'operationId') return true;
  if (action === 'remove' && parent === 'properties') return true;
  if (path.includes('responses')) return action === 'replace' && last === 'type';
  return (
    path.includes('requestBody') &&
    ((action === 'add' && parent === 'required') ||
      path.some((key) => conditionKeywords.includes(String(key))))
  );
}

function toLine({ action, path, before, after }: Diff): string {
  const values = [before, after].filter((value) => ['string', 'number'].includes(typeof value));
  return [`${path.join(' > ')}:`, action, values.join(' → ')].join(' ').trimEnd();
}
