import { Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { DeployVersion } from '../../contracts/rest/schemas/versions.ts';
import { admin, isWithheld, queryClient } from '../admin.ts';
import { CodeBlock } from '../components/code-block.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DataTable } from '../components/data-table.tsx';
import { RenderNow } from '../components/documents/render-now.tsx';
import { useDocuments } from '../components/documents/use-documents.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Facts } from '../components/facts.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { Panel } from '../components/panel.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { Section } from '../components/section.tsx';
import { formatBytes, formatDuration, formatNumber } from '../formats.ts';
import { useWorkspace } from '../layout/workspace.tsx';

/** One version: what it is made of, and what it makes of a payload. */
export default function VersionPage() {
  const { id: workspaceId } = useWorkspace();
  const { deployId = '', versionId = '' } = useParams();
  const { nameOf } = useDocuments();
  const documentName = nameOf({ deployId }) ?? 'Document';
  const { data, error, refetch } = useQuery(
    admin.versions.get.queryOptions({ workspaceId, deployId, versionId }),
  );
  const back = { to: `/${workspaceId}/documents/${deployId}`, title: documentName };
  if (error && (!data || isWithheld(error)))
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
                    ? 'That of the plan'
                    : formatDuration(version.renderTimeoutMs),
              },
              { label: 'Committed', value: <RelativeTime at={version.createdAt} /> },
              {
                label: 'Tree hash',
                value: <Copyable value={version.treeHash} label="the tree hash" />,
              },
              { label: 'Id', value: <Copyable value={version.id} label="the version's id" /> },
            ]}
          />
        </Panel>
        {version.warnings?.map(({ code, message }) => (
          <Notice key={code} tone="warning">
            {message}
          </Notice>
        ))}
        {version.print !== undefined && (
          <Section title="Print options">
            <CodeBlock label="Print options">{JSON.stringify(version.print, null, 2)}</CodeBlock>
          </Section>
        )}
        {version.metadataJson !== undefined && (
          <Section title="Metadata">
            <CodeBlock label="Metadata">
              {JSON.stringify(JSON.parse(version.metadataJson), null, 2)}
            </CodeBlock>
          </Section>
        )}
        <Section
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
        </Section>
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
      It frees its storage and cannot be rendered any more; its number is not used again. Jobs and
      PDFs that there are stay.
    </ConfirmButton>
  );
}
