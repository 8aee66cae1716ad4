import { Anchor } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin } from '../admin.ts';
import { DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { byCursor, rowsOfPages } from '../components/table-rows.ts';
import { curl } from '../curl.ts';
import { useWorkspace } from '../layout/workspace.tsx';

/** What can be printed here. */
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
            cell: ({ type }) => (type === 'url' ? 'Hosted page' : 'Uploaded'),
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
            command={curl('POST', '/deploys', { slug: 'invoice', name: 'Invoice' })}
          >
            A document is a small web app that is printed with a payload. With an API key in
            DRS_API_KEY, this makes the first one; its page says how to upload the files.
          </EmptyState>
        }
        {...rowsOfPages(list)}
      />
    </>
  );
}
