import { Anchor, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { maxListLimit } from '../../contracts/limits.ts';
import type { Deploy } from '../../contracts/schemas/deploys.ts';
import { admin, isWithheld } from '../admin.ts';
import { Copyable } from '../components/copyable.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Aliases } from '../components/documents/aliases.tsx';
import { DeleteDocument } from '../components/documents/delete-document.tsx';
import { RenderNow } from '../components/documents/render-now.tsx';
import { Versions } from '../components/documents/versions.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Facts } from '../components/facts.tsx';
import { jobColumns } from '../components/jobs/job-columns.tsx';
import { listInterval } from '../components/jobs/job-query.ts';
import { PageHeader } from '../components/page-header.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { Panel } from '../components/panel.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { Section } from '../components/section.tsx';
import { rowsOfList } from '../components/table-rows.ts';
import { curl } from '../curl.ts';
import { useWorkspace } from '../layout/workspace.tsx';

/** One document: what there is of it, what it is called, what was made with it. */
export default function DocumentPage() {
  const { id: workspaceId } = useWorkspace();
  const { deployId = '' } = useParams();
  const { data, error, refetch } = useQuery(
    admin.deploys.get.queryOptions({ workspaceId, deployId }),
  );
  const back = { to: `/${workspaceId}/documents`, title: 'Documents' };
  if (error && (!data || isWithheld(error)))
    return (
      <>
        <PageHeader title="Document" back={back} />
        <ErrorNotice error={error} retry={refetch} />
      </>
    );
  if (!data) return <PageSkeleton />;
  return (
    <>
      <PageHeader title={data.name} back={back} actions={<DeleteDocument deploy={data} />} />
      <Stack gap="lg">
        {error && <ErrorNotice error={error} retry={refetch} />}
        <Panel title="Document">
          <Facts
            facts={[
              { label: 'Slug', value: <code>{data.slug}</code> },
              { label: 'Type', value: data.type === 'url' ? 'Hosted page' : 'Uploaded' },
              { label: 'Address', value: data.targetUrl },
              { label: 'Created', value: <RelativeTime at={data.createdAt} /> },
              { label: 'Id', value: <Copyable value={data.id} label="the document's id" /> },
            ]}
          />
        </Panel>
        {data.type === 'managed' ? (
          <UploadedParts deployId={deployId} />
        ) : (
          <RenderNow deployId={deployId} deployVersionId="latest" />
        )}
        <RecentJobs deploy={data} />
      </Stack>
    </>
  );
}

function UploadedParts({ deployId }: { deployId: string }) {
  const { id: workspaceId } = useWorkspace();
  const aliases = useQuery(
    admin.aliases.list.queryOptions({ workspaceId, deployId, limit: maxListLimit }),
  );
  return (
    <>
      <Section title="Versions">
        <Versions deployId={deployId} aliases={aliases.data?.items ?? []} />
      </Section>
      <Aliases deployId={deployId} list={aliases} />
    </>
  );
}

/** As many as tell how it goes. */
const recentJobs = 10;

function RecentJobs({ deploy: { id: deployId, workspaceId, name } }: { deploy: Deploy }) {
  const jobs = useQuery(
    admin.jobs.search.queryOptions(
      { workspaceId, deployId, limit: recentJobs },
      { refetchInterval: ({ state: { data } }) => listInterval(data?.items) },
    ),
  );
  return (
    <Section
      title="Recent jobs"
      actions={
        <Anchor component={Link} to={`/${workspaceId}/jobs?deployId=${deployId}`} size="sm">
          All jobs of this document
        </Anchor>
      }
    >
      <DataTable
        caption="Recent jobs"
        columns={jobColumns(() => name)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="Not rendered yet"
            command={curl('POST', '/render-jobs', { deployId, payload: { number: 'INV-1042' } })}
          >
            With an API key in DRS_API_KEY, this asks for the first PDF.
          </EmptyState>
        }
        {...rowsOfList(jobs)}
      />
    </Section>
  );
}
