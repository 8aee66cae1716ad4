import { Select } from '@mantine/core';
import type { jobFilter } from '../../../contracts/admin/jobs.ts';
import { jobErrorCodes } from '../../../contracts/errors.ts';
import { BusinessKeyInput } from '../business-key-input.tsx';
import { DocumentSelect } from '../documents/document-select.tsx';
import { Filters } from '../filters.tsx';
import { TimeInput } from '../time-input.tsx';
import type { FilterState } from '../use-filter.ts';

/** Everything that narrows the list of jobs but their state, which is chosen by its count. */
export function JobFilters({ filter, change, clear, isEmpty }: FilterState<typeof jobFilter>) {
  return (
    <Filters label="Filter jobs" isEmpty={isEmpty} onClear={clear}>
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
