import { Text } from '@mantine/core';
import type { WebhookAttempt as Attempt } from '../../../contracts/admin/webhooks.ts';
import { formatDuration } from '../../formats.ts';
import { CodeBlock } from '../code-block.tsx';
import { Panel } from '../panel.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { Badge } from '../status-badge.tsx';
import classes from './webhook-attempt.module.css';

/** What was sent in one attempt, and what was answered. */
export function WebhookAttempt({ attempt }: { attempt: Attempt }) {
  const { responseStatus, error, durationMs, startedAt } = attempt;
  const delivered = responseStatus !== undefined && responseStatus >= 200 && responseStatus < 300;
  return (
    <Panel
      title={`Attempt ${attempt.attempt}`}
      description={
        <>
          <RelativeTime at={startedAt} />, took {formatDuration(durationMs)}
        </>
      }
      actions={
        <Badge tone={delivered ? 'good' : 'bad'}>
          {responseStatus === undefined ? 'No answer' : `Answered ${responseStatus}`}
        </Badge>
      }
    >
      {error && (
        <Text size="sm" c="red" mb="sm">
          {error}
        </Text>
      )}
      <div className={classes.sides}>
        <Side
          attempt={attempt.attempt}
          title="Request"
          headers={attempt.requestHeaders}
          body={attempt.requestBody}
        />
        {responseStatus === undefined ? (
          <Text size="sm" c="dimmed">
            There was no answer.
          </Text>
        ) : (
          <Side
            attempt={attempt.attempt}
            title="Answer"
            headers={attempt.responseHeaders ?? {}}
            body={attempt.responseBody ?? ''}
          />
        )}
      </div>
    </Panel>
  );
}

interface SideProps {
  readonly attempt: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const Side = ({ attempt, title, headers, body }: SideProps) => (
  <div className={classes.side}>
    <h3>{title}</h3>
    <Part title={`${title} headers of attempt ${attempt}`}>
      {Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}
    </Part>
    <Part title={`${title} body of attempt ${attempt}`}>{indented(body)}</Part>
  </div>
);

const Part = ({ title, children }: { title: string; children: string }) =>
  children === '' ? (
    <Text size="sm" c="dimmed">
      {title}: empty
    </Text>
  ) : (
    <CodeBlock label={title}>{children}</CodeBlock>
  );

/** JSON on many lines; what is none, or was cut, as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
