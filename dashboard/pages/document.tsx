import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { maxListLimit } from '../../contracts/limits.ts';
import { admin, isWithheld } from '../admin.ts';
import { Copyable } from '../components/copyable.tsx';
import { Aliases } from '../components/documents/aliases.tsx';
import { DeleteDocument } from '../components/documents/delete-document.tsx';
import { RenderNow } from '../components/documents/render-now.tsx';
import { Versions } from '../components/documents/versions.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Facts } from '../components/facts.tsx';
import { RecentJobs } from '../components/jobs/recent-jobs.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { Panel } from '../components/panel.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { Section } from '../components/section.tsx';
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
