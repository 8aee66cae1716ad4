import { Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { maxListLimit } from '../../contracts/limits.ts';
import type { Deploy } from '../../contracts/rest/schemas/deploys.ts';
import { admin, isInaccessible, queryClient } from '../admin.ts';
import { Aliases } from '../components/documents/aliases.tsx';
import { RenderNow } from '../components/documents/render-now.tsx';
import { documentTypeLabels } from '../components/documents/use-documents.ts';
import { Versions } from '../components/documents/versions.tsx';
import { RecentJobs } from '../components/jobs/job-list.tsx';
import { ConfirmButton } from '../components/ui/buttons.tsx';
import { Copyable } from '../components/ui/copy.tsx';
import { Facts } from '../components/ui/facts.tsx';
import { ErrorNotice } from '../components/ui/notice.tsx';
import { PageHeader, PageSkeleton } from '../components/ui/page.tsx';
import { Panel, UnframedPanel } from '../components/ui/panel.tsx';
import { RelativeTime } from '../components/ui/text.tsx';
import { useWorkspace } from '../session.tsx';

/** One document with its versions, aliases and recent jobs. */
export default function DocumentPage() {
  const { id: workspaceId } = useWorkspace();
  const { deployId = '' } = useParams();
  const { data, error, refetch } = useQuery(
    admin.deploys.get.queryOptions({ workspaceId, deployId }),
  );
  const back = { to: `/${workspaceId}/documents`, title: 'Documents' };
  if (error && (!data || isInaccessible(error)))
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
              { label: 'Type', value: documentTypeLabels[data.type] },
              { label: 'Address', value: data.targetUrl },
              { label: 'Created', value: <RelativeTime at={data.createdAt} /> },
              { label: 'ID', value: <Copyable value={data.id} label="the document's id" /> },
            ]}
          />
        </Panel>
        {data.type === 'managed' ? (
          <VersionsAndAliases deployId={deployId} />
        ) : (
          <RenderNow deployId={deployId} deployVersionId="latest" />
        )}
        <RecentJobs deploy={data} />
      </Stack>
    </>
  );
}

function VersionsAndAliases({ deployId }: { deployId: string }) {
  const { id: workspaceId } = useWorkspace();
  const aliases = useQuery(
    admin.aliases.list.queryOptions({ workspaceId, deployId, limit: maxListLimit }),
  );
  return (
    <>
      <UnframedPanel title="Versions">
        <Versions deployId={deployId} aliases={aliases.data?.items ?? []} />
      </UnframedPanel>
      <Aliases deployId={deployId} list={aliases} />
    </>
  );
}

function DeleteDocument({ deploy: { id: deployId, workspaceId, name } }: { deploy: Deploy }) {
  const navigate = useNavigate();
  const remove = useMutation(
    admin.deploys.delete.mutationOptions({
      onSuccess: async () => {
        await navigate(`/${workspaceId}/documents`);
        queryClient.removeQueries({
          queryKey: admin.deploys.get.queryKey({ workspaceId, deployId }),
        });
        await queryClient.invalidateQueries({ queryKey: admin.deploys.list.pathKey() });
      },
    }),
  );
  return (
    <ConfirmButton
      label="Delete document"
      title={`Delete ${name}?`}
      mutation={remove}
      variables={{ workspaceId, deployId }}
    >
      This deletes its versions and aliases for good. It can no longer be rendered. Existing jobs
      and PDFs stay.
    </ConfirmButton>
  );
}
