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
import { curl } from '../shell-commands.ts';

/** The jobs of the workspace, newest first. */
export default function Jobs() {
  const { id: workspaceId } = useWorkspace();
  const filterState = useFilter(jobFilter);
  const { filter, change, clear, isEmpty } = filterState;
  const { status, ...filterOfCounts } = filter;
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
      { workspaceId, ...filterOfCounts },
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
            label={`Choose the failed jobs shown (${rerun.possible.length})`}
            disabled={rerun.possible.length === 0}
            checked={rerun.chosen.length > 0 && rerun.chosen.length === rerun.possible.length}
            indeterminate={rerun.chosen.length > 0 && rerun.chosen.length < rerun.possible.length}
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
            isEmpty ? (
              <NoJobs deployId={documents.items[0]?.id} />
            ) : (
              <NoMatch one="job" many="jobs" onClear={clear} />
            )
          }
          {...tableRows}
        />
      </Stack>
      {rerun.inDialog && <RerunDialog jobs={rerun.inDialog} onClose={rerun.close} />}
    </>
  );
}

const NoJobs = ({ deployId = '<deploy id>' }: { deployId: string | undefined }) => (
  <EmptyState
    title="No jobs yet"
    command={curl('POST', '/render-jobs', { deployId, payload: { number: 'INV-1042' } })}
  >
    Each render of a document is a job. With an API key in DRS_API_KEY, this command creates the
    first one.
  </EmptyState>
);

/** The failed jobs in the list that the user has chosen to render again. */
function useRerun(rows: readonly RenderJob[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  // A copy from when the dialog opened, because newer jobs may push rows off the list meanwhile.
  const [inDialog, setInDialog] = useState<readonly RenderJob[]>();
  const possible = rows.filter(({ status }) => status === 'failed');
  const chosen = possible.filter(({ id }) => ids.has(id));
  const choose = (id: string, isChosen: boolean) =>
    setIds((current) => {
      const next = new Set(current);
      if (isChosen) next.add(id);
      else next.delete(id);
      return next;
    });
  return {
    possible,
    chosen,
    chooseAll: (all: boolean) => setIds(new Set(all ? possible.map(({ id }) => id) : [])),
    inDialog,
    open: () => setInDialog(chosen),
    close: () => {
      setIds(new Set());
      setInDialog(undefined);
    },
    column: {
      header: 'Choose',
      headerHidden: true,
      // On a phone, the checkbox above the table chooses all.
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
