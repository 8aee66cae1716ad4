import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { ApiKey } from '../../contracts/admin/api-keys.ts';
import { admin, queryClient } from '../admin.ts';
import { CreateApiKey } from '../components/keys/create-api-key.tsx';
import { ConfirmButton } from '../components/ui/buttons.tsx';
import { byCursor, DataTable, rowsOfPages } from '../components/ui/data-table.tsx';
import { EmptyState } from '../components/ui/empty-state.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { RelativeTime } from '../components/ui/text.tsx';
import { formatDateTime } from '../formats.ts';
import { useWorkspace } from '../session.tsx';

/** Creates, lists and revokes keys of the REST API. */
export default function ApiKeys() {
  const { id: workspaceId, canManage } = useWorkspace();
  const [creating, dialog] = useDisclosure();
  const nameOf = useActorNames();
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
        description="Programs call the REST API with a key of the workspace. A revoked key stops working at once."
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
          { header: 'Created by', wideOnly: true, cell: ({ createdBy }) => nameOf(createdBy) },
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

function RevokeApiKey({ apiKey: { id, name, lastUsedAt } }: { apiKey: ApiKey }) {
  const { id: workspaceId } = useWorkspace();
  const revoke = useMutation(
    admin.apiKeys.revoke.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: `The key ${name} is revoked.` });
        await queryClient.invalidateQueries({ queryKey: admin.apiKeys.list.pathKey() });
      },
    }),
  );
  return (
    <ConfirmButton
      label="Revoke"
      title={`Revoke ${name}?`}
      mutation={revoke}
      variables={{ workspaceId, keyId: id }}
      size="compact-xs"
      variant="subtle"
      color="red"
      aria-label={`Revoke ${name}`}
    >
      <Text>
        Programs that use it are refused from now on. This cannot be undone.{' '}
        {lastUsedAt
          ? `It was last used on ${formatDateTime(lastUsedAt)}.`
          : 'It has never been used.'}
      </Text>
    </ConfirmButton>
  );
}

/** Returns a function that names the creator of a key. A creator who is not a member, such as `npm start`, is shown as stored. */
function useActorNames(): (actor: string | undefined) => string {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(admin.members.list.queryOptions({ workspaceId }));
  const names = new Map(data?.items.map(({ userId, name }) => [userId, name]));
  return (actor) => (actor === undefined ? 'Unknown' : (names.get(actor) ?? actor));
}
