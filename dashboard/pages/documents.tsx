import { Anchor } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin } from '../admin.ts';
import { documentTypeLabels } from '../components/documents/use-documents.ts';
import { byCursor, DataTable, rowsOfPages } from '../components/ui/data-table.tsx';
import { EmptyState } from '../components/ui/empty-state.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { RelativeTime } from '../components/ui/text.tsx';
import { useWorkspace } from '../session.tsx';
import { curlCommand } from '../shell-commands.ts';

/** The documents of the workspace. */
export default function Documents() {
  const { id: workspaceId } = useWorkspace();
  const list = useInfiniteQuery(admin.deploys.list.infiniteQueryOptions({ workspaceId }, byCursor));
  return (
    <>
      <PageHeader title="Documents" />
      <DataTable
        caption="Documents"
        columns={[
          {
            header: 'Name',
            cell: ({ id, name }) => (
              <Anchor component={Link} to={`/${workspaceId}/documents/${id}`} inherit>
                {name}
              </Anchor>
            ),
          },
          { header: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
          {
            header: 'Type',
            wideOnly: true,
            cell: ({ type }) => documentTypeLabels[type],
          },
          {
            header: 'Created',
            align: 'end',
            cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
          },
        ]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="No documents yet"
            command={curlCommand('POST', '/deploys', { slug: 'invoice', name: 'Invoice' })}
          >
            A document is a small web app that is printed with a payload. With an API key in
            DRS_API_KEY, this command creates the first one. Its page shows how to upload files.
          </EmptyState>
        }
        {...rowsOfPages(list)}
      />
    </>
  );
}
