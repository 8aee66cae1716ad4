import { Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { DeployVersion } from '../../contracts/rest/schemas/versions.ts';
import { admin, isInaccessible, queryClient } from '../admin.ts';
import { RenderNow } from '../components/documents/render-now.tsx';
import { useDocuments } from '../components/documents/use-documents.ts';
import { ConfirmButton } from '../components/ui/buttons.tsx';
import { CodeBlock, Copyable } from '../components/ui/copy.tsx';
import { DataTable } from '../components/ui/data-table.tsx';
import { Facts } from '../components/ui/facts.tsx';
import { ErrorNotice, Notice } from '../components/ui/notice.tsx';
import { PageHeader, PageSkeleton } from '../components/ui/page.tsx';
import { Panel, UnframedPanel } from '../components/ui/panel.tsx';
import { RelativeTime } from '../components/ui/text.tsx';
import { formatBytes, formatDuration, formatNumber } from '../formats.ts';
import { useWorkspace } from '../session.tsx';

/** One version with its files, and a form to render it with a payload. */
export default function VersionPage() {
  const { id: workspaceId } = useWorkspace();
  const { deployId = '', versionId = '' } = useParams();
  const { nameOf } = useDocuments();
  const documentName = nameOf({ deployId }) ?? 'Document';
  const { data, error, refetch } = useQuery(
    admin.versions.get.queryOptions({ workspaceId, deployId, versionId }),
  );
  const back = { to: `/${workspaceId}/documents/${deployId}`, title: documentName };
  if (error && (!data || isInaccessible(error)))
    return (
      <>
        <PageHeader title="Version" back={back} />
        <ErrorNotice error={error} retry={refetch} />
      </>
    );
  if (!data) return <PageSkeleton />;
  const { deployVersion: version, files } = data;
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <>
      <PageHeader
        title={`${documentName} ${version.displayId}`}
        back={back}
        actions={<DeleteVersion version={version} />}
      />
      <Stack gap="lg">
        {error && <ErrorNotice error={error} retry={refetch} />}
        <RenderNow deployId={deployId} deployVersionId={versionId} />
        <Panel title="Version">
          <Facts
            facts={[
              { label: 'Title', value: version.title },
              { label: 'Route', value: <code>{version.route}</code> },
              {
                label: 'Time limit',
                value:
                  version.renderTimeoutMs === undefined
                    ? 'Limit of the plan'
                    : formatDuration(version.renderTimeoutMs),
              },
              { label: 'Committed', value: <RelativeTime at={version.createdAt} /> },
              {
                label: 'Tree hash',
                value: <Copyable value={version.treeHash} label="the tree hash" />,
              },
              { label: 'ID', value: <Copyable value={version.id} label="the version's id" /> },
            ]}
          />
        </Panel>
        {version.warnings?.map(({ code, message }) => (
          <Notice key={code} tone="warning">
            {message}
          </Notice>
        ))}
        {version.print !== undefined && (
          <UnframedPanel title="Print options">
            <CodeBlock label="Print options">{JSON.stringify(version.print, null, 2)}</CodeBlock>
          </UnframedPanel>
        )}
        {version.metadataJson !== undefined && (
          <UnframedPanel title="Metadata">
            <CodeBlock label="Metadata">
              {JSON.stringify(JSON.parse(version.metadataJson), null, 2)}
            </CodeBlock>
          </UnframedPanel>
        )}
        <UnframedPanel
          title="Files"
          description={`${formatNumber(files.length)} ${files.length === 1 ? 'file' : 'files'}, ${formatBytes(totalBytes)}`}
        >
          <DataTable
            caption="Files"
            rows={files}
            rowKey={({ path }) => path}
            columns={[
              { header: 'Path', cell: ({ path }) => <code>{path}</code> },
              { header: 'Type', wideOnly: true, cell: ({ mime }) => mime },
              { header: 'Size', align: 'end', cell: ({ size }) => formatBytes(size) },
            ]}
            empty={null}
          />
        </UnframedPanel>
      </Stack>
    </>
  );
}

function DeleteVersion({
  version: { id: versionId, deployId, displayId },
}: {
  version: DeployVersion;
}) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const remove = useMutation(
    admin.versions.delete.mutationOptions({
      onSuccess: async () => {
        await navigate(`/${workspaceId}/documents/${deployId}`);
        queryClient.removeQueries({
          queryKey: admin.versions.get.queryKey({ workspaceId, deployId, versionId }),
        });
        await queryClient.invalidateQueries({ queryKey: admin.versions.list.pathKey() });
      },
    }),
  );
  return (
    <ConfirmButton
      label="Delete version"
      title={`Delete ${displayId}?`}
      mutation={remove}
      variables={{ workspaceId, deployId, versionId }}
    >
      This frees its storage. The version can no longer be rendered, and its number is not used
      again. Existing jobs and PDFs stay.
    </ConfirmButton>
  );
}
