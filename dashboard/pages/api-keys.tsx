import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { admin } from '../admin.ts';
import { DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { CreateApiKey } from '../components/keys/create-api-key.tsx';
import { RevokeApiKey } from '../components/keys/revoke-api-key.tsx';
import { usePersonNames } from '../components/members/use-person-names.ts';
import { PageHeader } from '../components/page-header.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { byCursor, rowsOfPages } from '../components/table-rows.ts';
import { useWorkspace } from '../layout/workspace.tsx';

/** Keys of the REST API: made, listed, revoked. */
export default function ApiKeys() {
  const { id: workspaceId, canManage } = useWorkspace();
  const [creating, dialog] = useDisclosure();
  const nameOf = usePersonNames();
  const keys = useInfiniteQuery(admin.apiKeys.list.infiniteQueryOptions({ workspaceId }, byCursor));
  const create = canManage && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      Create a key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="Programs call the REST API with a key of the workspace. A revoked key is dead at once."
        actions={create}
      />
      <DataTable
        caption="API keys"
        {...rowsOfPages(keys)}
        rowKey={({ id }) => id}
        columns={[
          { header: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          {
            header: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'Never'),
          },
          { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          { header: 'By', wideOnly: true, cell: ({ createdBy }) => nameOf(createdBy) },
          {
            header: 'Actions',
            headerHidden: true,
            align: 'end',
            cell: (key) => canManage && <RevokeApiKey apiKey={key} />,
          },
        ]}
        empty={
          <EmptyState title="No keys yet" action={create}>
            {canManage
              ? 'Create the first one and give it the name of the program that will use it.'
              : 'Ask an owner of the workspace for one.'}
          </EmptyState>
        }
      />
      <CreateApiKey opened={creating} onClose={dialog.close} />
    </>
  );
}
