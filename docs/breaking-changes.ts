import { apiCompare, type Diff } from 'api-smart-diff';

/**
 * Finds the changes of an OpenAPI document that break clients of the earlier document (REST 9.2). Returns one line for each breaking
 * change, and none for additions.
 *
 * api-smart-diff resolves the references and classifies most changes. `isUnderrated` finds breaking changes that it does not report.
 */
export function findBreakingChanges(before: object, after: object): string[] {
  const { diffs } = apiCompare(before, after);
  const lines = diffs
    // A component is classified where it is used, because that depends on its use in a request or in an answer.
    .filter(({ path: [first, second] }) => first !== 'components' || second !== 'schemas')
    .filter((diff) => diff.type === 'breaking' || isUnderrated(diff))
    .map(describe);
  return [...new Set(lines)];
}

/** Keywords of JSON Schema that api-smart-diff does not know. A change of them may make valid requests invalid. */
const conditions = ['if', 'then', 'else', 'dependentRequired'];

/**
 * True for a breaking change that api-smart-diff does not report. It assumes that servers ignore unknown fields, but ours reject
 * them. It also allows too much in answers.
 */
function isUnderrated({ action, path }: Diff): boolean {
  const [last, parent] = [path.at(-1), path.at(-2)];
  if (last === 'operationId') return true;
  if (action === 'remove' && parent === 'properties') return true;
  if (path.includes('responses')) return action === 'replace' && last === 'type';
  return (
    path.includes('requestBody') &&
    ((action === 'add' && parent === 'required') ||
      path.some((key) => conditions.includes(String(key))))
  );
}

function describe({ action, path, before, after }: Diff): string {
  const values = [before, after].filter((value) => ['string', 'number'].includes(typeof value));
  return [`${path.join(' > ')}:`, action, values.join(' → ')].join(' ').trimEnd();
}
