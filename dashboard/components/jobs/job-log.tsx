import { Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type LogLevel, logLevelSchema, logStageSchema } from '../../../contracts/logs.ts';
import type { JobLogEntry } from '../../../contracts/rest/schemas/job-logs.ts';
import { formatDuration, formatExact } from '../../formats.ts';
import classes from './job-log.module.css';

const levels = logLevelSchema.options;

interface JobLogProps {
  readonly entries: readonly JobLogEntry[];
  /** Unix ms: entries tell how long after it they were. */
  readonly requestedAt: number;
}

/** What happened to a job and in its page, in order. */
export function JobLog({ entries, requestedAt }: JobLogProps) {
  const [leastLevel, setLeastLevel] = useState<LogLevel>('debug');
  const [stage, setStage] = useState<string | null>(null);
  const shown = entries.filter(
    (entry) =>
      levels.indexOf(entry.level) >= levels.indexOf(leastLevel) &&
      (stage === null || entry.stage === stage),
  );
  const stages = logStageSchema.options.filter((one) =>
    entries.some((entry) => entry.stage === one),
  );
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Select
          size="xs"
          label="Level"
          allowDeselect={false}
          data={levelChoices}
          value={leastLevel}
          onChange={(level) => setLeastLevel(level ?? 'debug')}
        />
        <Select
          size="xs"
          label="Stage"
          placeholder="All"
          clearable
          data={stages}
          value={stage}
          onChange={setStage}
        />
      </Group>
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          {entries.length === 0 ? 'Nothing has been logged yet.' : 'No entry matches.'}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keyboard too.
        <section className={classes.scroll} aria-label="Log entries" tabIndex={0}>
          <ol className={classes.log}>
            {shown.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other; they are only ever added at the end.
              <li key={index} className={classes.entry} data-level={entry.level}>
                <time
                  dateTime={new Date(entry.createdAt).toISOString()}
                  title={formatExact(entry.createdAt)}
                >
                  +{formatDuration(Math.max(0, entry.createdAt - requestedAt))}
                </time>
                <span className={classes.level}>{entry.level}</span>
                <span className={classes.stage}>{entry.stage}</span>
                <span className={classes.message}>
                  {entry.message}
                  {entry.code && <code>{entry.code}</code>}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </Stack>
  );
}

const levelChoices = [
  { value: 'debug', label: 'All' },
  { value: 'info', label: 'Info and above' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors' },
] as const;
