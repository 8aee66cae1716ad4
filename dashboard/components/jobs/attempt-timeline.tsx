import { SegmentedControl, Stack, Tooltip, VisuallyHidden } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { type CSSProperties, useEffect, useState } from 'react';
import { formatDateTime, formatDuration } from '../../formats.ts';
import { type Step, type StepName, stepLooks, stepsOf } from './attempt-steps.ts';
import classes from './attempt-timeline.module.css';
import { isOpen, type JobDetails } from './job-query.ts';

/** Updates often enough to show a bar grow. */
const tickMs = 250;

/** `all` begins at the request of the job. `work` leaves out the waiting. */
type Scale = 'all' | 'work';

interface Row {
  /** Counted from 1. */
  readonly attempt: number;
  readonly steps: readonly Step[];
  readonly outcome: string;
}

/** The attempts of a job as bars on one time scale, and the same numbers as a table. */
export function AttemptTimeline({ details }: { details: JobDetails }) {
  const now = useNow(isOpen(details.job));
  const [scale, setScale] = useState<Scale>('all');
  const rows = rowsOf(details, now);
  const used = (Object.keys(stepLooks) as StepName[]).filter((name) =>
    rows.some(({ steps }) => steps.some((step) => step.name === name)),
  );
  return (
    <Stack gap="md">
      <SegmentedControl
        className={classes.scale ?? ''}
        size="xs"
        aria-label="Range of the timeline"
        value={scale}
        onChange={setScale}
        data={[
          { value: 'all', label: 'From the request' },
          { value: 'work', label: 'Without waiting' },
        ]}
      />
      <Bars rows={rows} scale={scale} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll sideways. */}
      <section className={classes.numbers} aria-label="Attempts in numbers" tabIndex={0}>
        <table>
          <caption>
            <VisuallyHidden>How long each step of each attempt took</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              {rows.map(({ attempt }) => (
                <th key={attempt} scope="col">
                  {attempt}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {used.map((name) => (
              <tr key={name}>
                <th scope="row">
                  <span className={classes.key} style={colorOf(name)} />
                  {stepLooks[name].label}
                </th>
                {rows.map(({ attempt, steps }) => {
                  const step = steps.find((candidate) => candidate.name === name);
                  return <td key={attempt}>{step ? formatDuration(step.durationMs) : '–'}</td>;
                })}
              </tr>
            ))}
            <tr>
              <th scope="row">Outcome</th>
              {rows.map(({ attempt, outcome }) => (
                <td key={attempt}>{outcome}</td>
              ))}
            </tr>
          </tbody>
        </table>
      </section>
    </Stack>
  );
}

/**
 * One row of bars for each attempt. With the scale `work` each row starts when a worker claimed the job, so the same place in two
 * rows is not the same time.
 */
function Bars({ rows, scale }: { rows: readonly Row[]; scale: Scale }) {
  const shown = rows.map(({ attempt, steps }) => ({
    attempt,
    steps: scale === 'all' ? steps : steps.filter(({ name }) => name !== 'waiting'),
  }));
  const starts = shown.map(({ steps }) => steps[0]?.from ?? 0);
  const firstStart = Math.min(...starts);
  const startOf = (index: number) => (scale === 'all' ? firstStart : (starts[index] ?? 0));
  const spanMs = Math.max(
    1,
    ...shown.map(({ steps }, index) => {
      const last = steps.at(-1);
      return last ? last.from + last.durationMs - startOf(index) : 0;
    }),
  );
  const percent = (ms: number) => `${(ms / spanMs) * 100}%`;
  return (
    <div className={classes.bars}>
      {shown.map(({ attempt, steps }, index) => (
        <div key={attempt} className={classes.row}>
          <span className={classes.label}>{attempt}</span>
          <ul className={classes.track} aria-label={`Attempt ${attempt}`}>
            {steps.map((step) => (
              <Bar
                key={step.name}
                step={step}
                left={percent(step.from - startOf(index))}
                width={percent(step.durationMs)}
              />
            ))}
          </ul>
        </div>
      ))}
      <div className={classes.axis} aria-hidden>
        <span>0</span>
        <span>{formatDuration(spanMs / 2)}</span>
        <span>{formatDuration(spanMs)}</span>
      </div>
    </div>
  );
}

const colorOf = (name: StepName) => ({ '--step': stepLooks[name].color }) as CSSProperties;

const Bar = ({ step, left, width }: { step: Step; left: string; width: string }) => {
  const text = `${stepLooks[step.name].label}: ${formatDuration(step.durationMs)}`;
  return (
    <Tooltip
      label={`${text}, from ${formatDateTime(step.from)}`}
      events={{ hover: true, focus: true, touch: true }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must also open on focus. */}
      <li className={classes.bar} style={{ left, width, ...colorOf(step.name) }} tabIndex={0}>
        <VisuallyHidden>{text}</VisuallyHidden>
      </li>
    </Tooltip>
  );
};

/** The attempts that a worker claimed, and the one that still waits or was waiting when the job ended. */
function rowsOf({ job, attempts, progress }: JobDetails, now: number): readonly Row[] {
  const claimed = attempts.map((attempt, index) => {
    const { outcome } = attempt;
    const isRunning = outcome === undefined && attempt === attempts.at(-1) && isOpen(job);
    return {
      attempt: index + 1,
      steps: stepsOf(attempt, now, isRunning),
      outcome: outcome ?? (isRunning ? 'running' : 'worker lost'),
    };
  });
  const waitingSince = progress?.since ?? (attempts.length === 0 ? job.requestedAt : undefined);
  if (job.status === 'rendering' || waitingSince === undefined) return claimed;
  // A job that ended before a worker claimed it, such as a canceled one, waited until its end.
  const until = job.finishedAt ?? now;
  const waiting = {
    name: 'waiting' as const,
    from: waitingSince,
    durationMs: Math.max(0, until - waitingSince),
  };
  const outcome = isOpen(job) ? 'waiting' : job.status;
  return [...claimed, { attempt: claimed.length + 1, steps: [waiting], outcome }];
}

/** The current time in Unix ms. Updated only while `isTicking`. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  const { start, stop } = useInterval(() => setNow(Date.now()), tickMs);
  useEffect(() => {
    if (isTicking) start();
    return stop;
  }, [isTicking, start, stop]);
  return now;
}
