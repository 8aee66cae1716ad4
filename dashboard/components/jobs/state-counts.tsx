import { UnstyledButton } from '@mantine/core';
import type { JobCounts } from '../../../contracts/admin/jobs.ts';
import { type RenderJobStatus, renderJobStatusSchema } from '../../../contracts/states.ts';
import { formatNumber } from '../../formats.ts';
import { statusLabel } from '../status-badge.tsx';
import classes from './state-counts.module.css';

interface StateCountsProps {
  /** Undefined while they are on their way. */
  readonly counts: JobCounts | undefined;
  readonly chosen: RenderJobStatus | undefined;
  readonly onChoose: (status: RenderJobStatus | undefined) => void;
}

/** How many jobs are in each state; a press shows only those. */
export function StateCounts({ counts, chosen, onChoose }: StateCountsProps) {
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <fieldset className={classes.counts} aria-label="State">
      <Choice label="All" count={all} pressed={!chosen} onPress={() => onChoose(undefined)} />
      {renderJobStatusSchema.options.map((status) => (
        <Choice
          key={status}
          label={statusLabel(status)}
          count={counts?.[status]}
          pressed={chosen === status}
          onPress={() => onChoose(status)}
        />
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly count: number | undefined;
  readonly pressed: boolean;
  readonly onPress: () => void;
}

const Choice = ({ label, count, pressed, onPress }: ChoiceProps) => (
  <UnstyledButton className={classes.choice} aria-pressed={pressed} onClick={onPress}>
    {label} <span className={classes.count}>{count === undefined ? '–' : formatNumber(count)}</span>
  </UnstyledButton>
);
