import { apiCompare, type Diff } from 'api-smart-diff';

/**
 * What a change of the OpenAPI document breaks for clients of the document before (REST 9.2): one line each, none for a change
 * that only adds.
 *
 * api-smart-diff resolves the references and judges most of it; `isUnderrated` judges what it takes too lightly.
 */
export function findBreakingChanges(before: object, after: object): string[] {
  const { diffs } = apiCompare(before, after);
  const lines = diffs
    // A component is judged where it is used: as a part of what is sent, or of what is answered.
    .filter(({ path: [first, second] }) => first !== 'components' || second !== 'schemas')
    .filter((diff) => diff.type === 'breaking' || isUnderrated(diff))
    .map(describe);
  return [...new Set(lines)];
}

/** Keywords of JSON Schema that api-smart-diff does not know: a change of them may refuse what was accepted. */
const conditions = ['if', 'then', 'else', 'dependentRequired'];

/** It thinks of servers that ignore fields which they do not know, and ours refuse them; and it forgives too much in answers. */
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
