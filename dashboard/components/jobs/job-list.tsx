import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Deploy } from '../../../contracts/rest/schemas/deploys.ts';
import type { RenderJob } from '../../../contracts/rest/schemas/render-jobs.ts';
import { admin } from '../../admin.ts';
import { formatDuration } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { curlCommand } from '../../shell-commands.ts';
import { type Column, DataTable, rowsOfList } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { UnframedPanel } from '../ui/panel.tsx';
import { RelativeTime, TruncatedLink } from '../ui/text.tsx';
import classes from './job-list.module.css';
import { listInterval, turnaroundOf } from './job-query.ts';
import { StatusBadge } from './job-state.tsx';

function JobLink({ id, businessKey }: { id: string; businessKey: string }) {
  const { id: workspaceId } = useWorkspace();
  return <TruncatedLink to={`/${workspaceId}/jobs/${id}`} text={businessKey} />;
}

/** If `documentName` returns undefined, the column for the document shows the title of the version. */
export const jobColumns = (
  documentName: (job: RenderJob) => string | undefined,
): readonly Column<RenderJob>[] => [
  {
    header: 'State',
    // On wide screens the element is as wide as the longest state, so that a change of state moves nothing.
    cell: ({ status }) => (
      <div className={classes.state}>
        <StatusBadge status={status} />
      </div>
    ),
  },
  { header: 'Business key', cell: (job) => <JobLink {...job} /> },
  {
    header: 'Document',
    wideOnly: true,
    cell: (job) => (
      <span className={classes.document}>
        {documentName(job) ?? job.deployVersionTitle}
        {job.deployVersionNo !== undefined && ` v${job.deployVersionNo}`}
      </span>
    ),
  },
  {
    header: 'Error',
    wideOnly: true,
    cell: ({ errorCode }) => errorCode && <code>{errorCode}</code>,
  },
  {
    header: 'Took',
    align: 'end',
    wideOnly: true,
    cell: (job) => {
      const tookMs = turnaroundOf(job);
      return tookMs === undefined ? '' : formatDuration(tookMs);
    },
  },
  {
    header: 'Requested',
    align: 'end',
    cell: ({ requestedAt }) => <RelativeTime at={requestedAt} />,
  },
];

const recentJobsShown = 10;

interface RecentJobsProps {
  /** Shows only the jobs of this document. Without it, shows the jobs of all documents of the workspace. */
  readonly deploy?: Deploy;
}

/** The newest jobs. The list refetches itself at intervals: short ones while a job in it has not ended, else longer ones. */
export function RecentJobs({ deploy }: RecentJobsProps) {
  const { id: workspaceId } = useWorkspace();
  const filter = deploy && { deployId: deploy.id };
  const jobs = useQuery(
    admin.jobs.search.queryOptions(
      { workspaceId, ...filter, limit: recentJobsShown },
      { refetchInterval: ({ state: { data } }) => listInterval(data?.items) },
    ),
  );
  return (
    <UnframedPanel
      title="Recent jobs"
      actions={
        <Anchor
          component={Link}
          to={{ pathname: `/${workspaceId}/jobs`, search: String(new URLSearchParams(filter)) }}
          size="sm"
        >
          {deploy ? 'All jobs of this document' : 'All jobs'}
        </Anchor>
      }
    >
      <DataTable
        caption="Recent jobs"
        columns={jobColumns(() => deploy?.name)}
        rowKey={({ id }) => id}
        empty={deploy && <NoJobs deployId={deploy.id} />}
        {...rowsOfList(jobs)}
      />
    </UnframedPanel>
  );
}

const NoJobs = ({ deployId }: { deployId: string }) => (
  <EmptyState
    title="Not rendered yet"
    command={curlCommand('POST', '/render-jobs', { deployId, payload: { number: 'INV-1042' } })}
  >
    With an API key in DRS_API_KEY, this command renders the first PDF.
  </EmptyState>
);
