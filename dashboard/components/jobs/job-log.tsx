import { Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type LogLevel, logLevelSchema, logStageSchema } from '../../../contracts/logs.ts';
import type { JobLogEntry } from '../../../contracts/rest/schemas/job-logs.ts';
import { formatDateTime, formatDuration } from '../../formats.ts';
import classes from './job-log.module.css';

const levels = logLevelSchema.options;

interface JobLogProps {
  readonly entries: readonly JobLogEntry[];
  /** Unix ms. Each entry shows the time from the request to the entry. */
  readonly requestedAt: number;
}

/** The log of a job, oldest entry first. */
export function JobLog({ entries, requestedAt }: JobLogProps) {
  const [minLevel, setMinLevel] = useState<LogLevel>('debug');
  const [stage, setStage] = useState<string | null>(null);
  const shown = entries.filter(
    (entry) =>
      levels.indexOf(entry.level) >= levels.indexOf(minLevel) &&
      (stage === null || entry.stage === stage),
  );
  const stages = logStageSchema.options.filter((option) =>
    entries.some((entry) => entry.stage === option),
  );
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Select
          size="xs"
          label="Level"
          allowDeselect={false}
          data={levelChoices}
          value={minLevel}
          onChange={(level) => setMinLevel(level ?? 'debug')}
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
          {entries.length === 0 ? 'No log entries yet.' : 'No entry matches.'}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll.
        <section className={classes.scroll} aria-label="Log entries" tabIndex={0}>
          <ol className={classes.log}>
            {shown.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and new ones are only added at the end.
              <li key={index} className={classes.entry} data-level={entry.level}>
                <time
                  dateTime={new Date(entry.createdAt).toISOString()}
                  title={formatDateTime(entry.createdAt)}
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

/** Each choice shows the entries of its level and of all more severe levels. */
const minLevelLabels = {
  debug: 'All',
  info: 'Info and above',
  warn: 'Warnings and errors',
  error: 'Errors',
} as const satisfies Record<LogLevel, string>;

const levelChoices = levels.map((value) => ({ value, label: minLevelLabels[value] }));
