import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { DataTable } from '../data-table.tsx';
import { notifyFailure } from '../notify-failure.ts';
import { RelativeTime } from '../relative-time.tsx';
import { Section } from '../section.tsx';
import { rowsOfList } from '../table-rows.ts';
import { roleLabel } from './roles.ts';

/** Those that nobody has used yet. */
export function Invitations() {
  const { id: workspaceId } = useWorkspace();
  const invitations = useQuery(admin.invitations.list.queryOptions({ workspaceId }));
  if (invitations.data?.items.length === 0) return null;
  return (
    <Section title="Invitations">
      <DataTable
        caption="Invitations"
        {...rowsOfList(invitations)}
        rowKey={({ id }) => id}
        columns={[
          { header: 'E-mail address', cell: ({ email }) => <span data-breaks>{email}</span> },
          { header: 'Role', cell: ({ role }) => roleLabel[role] },
          {
            header: 'Expires',
            wideOnly: true,
            cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
          },
          {
            header: 'Actions',
            headerHidden: true,
            align: 'end',
            cell: ({ id, email }) => <RevokeInvitation invitationId={id} email={email} />,
          },
        ]}
        empty={null}
      />
    </Section>
  );
}

/** Without asking: another one is made in seconds. */
function RevokeInvitation({ invitationId, email }: { invitationId: string; email: string }) {
  const { id: workspaceId } = useWorkspace();
  const revoke = useMutation(
    admin.invitations.revoke.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: `The invitation of ${email} is revoked.` });
        await queryClient.invalidateQueries({ queryKey: admin.invitations.list.pathKey() });
      },
      onError: notifyFailure,
    }),
  );
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      color="red"
      loading={revoke.isPending}
      onClick={() => revoke.mutate({ workspaceId, invitationId })}
      aria-label={`Revoke the invitation of ${email}`}
    >
      Revoke
    </Button>
  );
}
