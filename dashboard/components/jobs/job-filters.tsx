import { Select, UnstyledButton } from '@mantine/core';
import type { JobCounts, jobFilter } from '../../../contracts/admin/jobs.ts';
import { jobErrorCodes } from '../../../contracts/errors.ts';
import { type RenderJobStatus, renderJobStatusSchema } from '../../../contracts/states.ts';
import { formatNumber } from '../../formats.ts';
import { DocumentSelect } from '../documents/document-select.tsx';
import { BusinessKeyInput, type FilterState, Filters, TimeInput } from '../ui/filters.tsx';
import classes from './job-filters.module.css';
import { statusLabel } from './job-state.tsx';

/** The filters of the list of jobs, except for the state, which `StateCounts` filters by. */
export function JobFilters({ filter, change, clear, isUnfiltered }: FilterState<typeof jobFilter>) {
  return (
    <Filters label="Filter jobs" isUnfiltered={isUnfiltered} onClear={clear}>
      <DocumentSelect value={filter.deployId} onChange={(deployId) => change({ deployId })} />
      <BusinessKeyInput
        value={filter.businessKey}
        onChange={(businessKey) => change({ businessKey })}
      />
      <Select
        label="Error"
        placeholder="Any or none"
        clearable
        data={jobErrorCodes}
        value={filter.errorCode ?? null}
        onChange={(errorCode) => change({ errorCode: errorCode ?? undefined })}
      />
      <TimeInput
        label="Requested from"
        at={filter.requestedFrom}
        onChange={(requestedFrom) => change({ requestedFrom })}
      />
      <TimeInput
        label="Requested before"
        at={filter.requestedBefore}
        onChange={(requestedBefore) => change({ requestedBefore })}
      />
    </Filters>
  );
}

interface StateCountsProps {
  /** Undefined while they load. */
  readonly counts: JobCounts | undefined;
  readonly chosen: RenderJobStatus | undefined;
  readonly onChoose: (status: RenderJobStatus | undefined) => void;
}

/** The number of jobs in each state, as buttons that filter by state. */
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
