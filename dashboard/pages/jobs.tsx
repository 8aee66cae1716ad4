import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { jobFilter } from '../../contracts/admin/jobs.ts';
import type { RenderJob } from '../../contracts/rest/schemas/render-jobs.ts';
import { admin } from '../admin.ts';
import { useDocuments } from '../components/documents/use-documents.ts';
import { JobFilters, StateCounts } from '../components/jobs/job-filters.tsx';
import { jobColumns } from '../components/jobs/job-list.tsx';
import { countsInterval, listInterval } from '../components/jobs/job-query.ts';
import { RerunDialog } from '../components/jobs/rerun-dialog.tsx';
import { byCursor, DataTable, rowsOfPages } from '../components/ui/data-table.tsx';
import { EmptyState, NoMatch } from '../components/ui/empty-state.tsx';
import { useFilter } from '../components/ui/filters.tsx';
import { ErrorNotice } from '../components/ui/notice.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { useWorkspace } from '../session.tsx';
import { curlCommand } from '../shell-commands.ts';

/** The jobs of the workspace, newest first. */
export default function Jobs() {
  const { id: workspaceId } = useWorkspace();
  const filterState = useFilter(jobFilter);
  const { filter, change, clear, isUnfiltered } = filterState;
  const { status, ...filterWithoutStatus } = filter;
  const documents = useDocuments();
  const list = useInfiniteQuery(
    admin.jobs.search.infiniteQueryOptions(
      { workspaceId, ...filter },
      {
        ...byCursor,
        placeholderData: keepPreviousData,
        refetchInterval: ({ state: { data } }) =>
          listInterval(data?.pages.flatMap(({ items }) => items)),
      },
    ),
  );
  const tableRows = rowsOfPages(list);
  const counts = useQuery(
    admin.jobs.counts.queryOptions(
      { workspaceId, ...filterWithoutStatus },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state: { data } }) => countsInterval(data),
      },
    ),
  );
  const rerun = useRerun(tableRows.rows ?? []);
  return (
    <>
      <PageHeader title="Jobs" />
      <Stack gap="md">
        <JobFilters {...filterState} />
        {counts.error && !list.error && <ErrorNotice error={counts.error} retry={counts.refetch} />}
        <StateCounts
          counts={counts.data}
          chosen={status}
          onChoose={(chosen) => change({ status: chosen })}
        />
        <Group gap="xs">
          <Checkbox
            size="xs"
            label={`Choose the failed jobs shown (${rerun.selectable.length})`}
            disabled={rerun.selectable.length === 0}
            checked={rerun.chosen.length > 0 && rerun.chosen.length === rerun.selectable.length}
            indeterminate={rerun.chosen.length > 0 && rerun.chosen.length < rerun.selectable.length}
            onChange={({ currentTarget }) => rerun.chooseAll(currentTarget.checked)}
          />
          <Button size="xs" disabled={rerun.chosen.length === 0} onClick={rerun.open}>
            Render again ({rerun.chosen.length})
          </Button>
        </Group>
        <DataTable
          caption="Jobs"
          columns={[rerun.column, ...jobColumns(documents.nameOf)]}
          rowKey={({ id }) => id}
          empty={
            isUnfiltered ? (
              <NoJobs deployId={documents.items[0]?.id} />
            ) : (
              <NoMatch one="job" many="jobs" onClear={clear} />
            )
          }
          {...tableRows}
        />
      </Stack>
      {rerun.jobsInDialog && <RerunDialog jobs={rerun.jobsInDialog} onClose={rerun.close} />}
    </>
  );
}

const NoJobs = ({ deployId = '<deploy id>' }: { deployId: string | undefined }) => (
  <EmptyState
    title="No jobs yet"
    command={curlCommand('POST', '/render-jobs', { deployId, payload: { number: 'INV-1042' } })}
  >
    Each render of a document is a job. With an API key in DRS_API_KEY, this command creates the
    first one.
  </EmptyState>
);

/** The failed jobs in the list that the user has chosen to render again, and the column of checkboxes to choose them. */
function useRerun(rows: readonly RenderJob[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  // The chosen jobs when the dialog opened. Newer jobs may push them off the list while it is open.
  const [jobsInDialog, setJobsInDialog] = useState<readonly RenderJob[]>();
  const selectable = rows.filter(({ status }) => status === 'failed');
  const chosen = selectable.filter(({ id }) => ids.has(id));
  const choose = (id: string, isChosen: boolean) =>
    setIds((current) => {
      const next = new Set(current);
      if (isChosen) next.add(id);
      else next.delete(id);
      return next;
    });
  return {
    selectable,
    chosen,
    chooseAll: (all: boolean) => setIds(new Set(all ? selectable.map(({ id }) => id) : [])),
    jobsInDialog,
    open: () => setJobsInDialog(chosen),
    close: () => {
      setIds(new Set());
      setJobsInDialog(undefined);
    },
    column: {
      header: 'Choose',
      headerHidden: true,
      // On a phone, only the checkbox above the table remains. It chooses all failed jobs.
      wideOnly: true,
      cell: ({ id, status, businessKey }: RenderJob) =>
        status === 'failed' && (
          <Checkbox
            size="xs"
            aria-label={`Choose ${businessKey}`}
            checked={ids.has(id)}
            onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
          />
        ),
    },
  };
}
