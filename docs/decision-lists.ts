/** A decision of docs/decisions.md: a heading of level 3, then a line of links to the files that it explains, then the reasons. */
export interface Decision {
  readonly topic: string;
  readonly title: string;
  /** Paths from the root of the repository. */
  readonly files: readonly string[];
}

const topicHeading = /^## (.+)$/;
const decisionHeading = /^### (.+)$/;
const fileLink = /\[`[^`]+`\]\(\.\.\/([^)]+)\)/g;

/** Finds the decisions of the page, in its order. */
export function readDecisions(page: string): Decision[] {
  const lines = page.split('\n');
  let topic = '';
  return lines.flatMap((line, index) => {
    topic = topicHeading.exec(line)?.[1] ?? topic;
    const title = decisionHeading.exec(line)?.[1];
    if (title === undefined) return [];
    // A blank line stands between the heading and its links.
    const links = lines[index + 2] ?? '';
    const files = [...links.matchAll(fileLink)].map(([, path = '']) => path);
    return [{ topic, title, files }];
  });
}

/** The anchor that GitHub makes of a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the page with its two lists, the index by topic and the list by file, made again from the decisions. */
export function updateDecisionLists(page: string): string {
  const decisions = readDecisions(page);
  return replaceList(
    replaceList(page, 'index', listByTopic(decisions)),
    'files',
    listByFile(decisions),
  );
}

function listByTopic(decisions: readonly Decision[]): string {
  const topics = Map.groupBy(decisions, ({ topic }) => topic);
  return [...topics]
    .map(([topic, list]) => `**${linkTo(topic)}**\n\n${list.map(listItem).join('\n')}`)
    .join('\n\n');
}

function listByFile(decisions: readonly Decision[]): string {
  const files = [...new Set(decisions.flatMap((decision) => decision.files))].sort();
  return files
    .map((file) => {
      const explaining = decisions.filter((decision) => decision.files.includes(file));
      const items = explaining.map((decision) => `  ${listItem(decision)}`);
      return [`- [\`${file}\`](../${file})`, ...items].join('\n');
    })
    .join('\n');
}

const linkTo = (heading: string): string => `[${heading}](#${anchorOf(heading)})`;
const listItem = ({ title }: Decision): string => `- ${linkTo(title)}`;

/** @throws Error when the page has no such list */
function replaceList(page: string, name: string, list: string): string {
  const start = `<!-- ${name}: written by \`npm run docs\` -->`;
  const end = `<!-- /${name} -->`;
  const [startAt, endAt] = [page.indexOf(start), page.indexOf(end)];
  if (startAt < 0 || endAt < startAt)
    throw new Error(`docs/decisions.md must have the lines ${start} and ${end}.`);
  return `${page.slice(0, startAt + start.length)}\n\n${list}\n\n${page.slice(endAt)}`;
}
