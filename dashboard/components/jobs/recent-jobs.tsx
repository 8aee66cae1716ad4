import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Deploy } from '../../../contracts/rest/schemas/deploys.ts';
import { admin } from '../../admin.ts';
import { curl } from '../../curl.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { DataTable } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Section } from '../section.tsx';
import { rowsOfList } from '../table-rows.ts';
import { jobColumns } from './job-columns.tsx';
import { listInterval } from './job-query.ts';

/** As many as tell how it goes. */
const shown = 10;

interface RecentJobsProps {
  /** Whose jobs; without one, those of the whole workspace. */
  readonly deploy?: Deploy;
}

/** The newest jobs, as they move. */
export function RecentJobs({ deploy }: RecentJobsProps) {
  const { id: workspaceId } = useWorkspace();
  const ofDeploy = deploy && { deployId: deploy.id };
  const jobs = useQuery(
    admin.jobs.search.queryOptions(
      { workspaceId, ...ofDeploy, limit: shown },
      { refetchInterval: ({ state: { data } }) => listInterval(data?.items) },
    ),
  );
  return (
    <Section
      title="Recent jobs"
      actions={
        <Anchor
          component={Link}
          to={{ pathname: `/${workspaceId}/jobs`, search: String(new URLSearchParams(ofDeploy)) }}
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
    </Section>
  );
}

const NoJobs = ({ deployId }: { deployId: string }) => (
  <EmptyState
    title="Not rendered yet"
    command={curl('POST', '/render-jobs', { deployId, payload: { number: 'INV-1042' } })}
  >
    With an API key in DRS_API_KEY, this asks for the first PDF.
  </EmptyState>
);
