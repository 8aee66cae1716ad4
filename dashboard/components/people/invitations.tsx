import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { MemberRole } from '../../../contracts/admin/members.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatDateTime } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { FormActions } from '../ui/buttons.tsx';
import { CodeBlock } from '../ui/copy.tsx';
import { DataTable, rowsOfList } from '../ui/data-table.tsx';
import { checkEmail } from '../ui/form-rules.ts';
import { ErrorNotice, notifyFailure } from '../ui/notice.tsx';
import { UnframedPanel } from '../ui/panel.tsx';
import { RelativeTime } from '../ui/text.tsx';
import { roleChoices, roleLabel } from './roles.ts';

/** The open invitations: not accepted, not revoked, not expired. */
export function Invitations() {
  const { id: workspaceId } = useWorkspace();
  const invitations = useQuery(admin.invitations.list.queryOptions({ workspaceId }));
  if (invitations.data?.items.length === 0) return null;
  return (
    <UnframedPanel title="Invitations">
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
    </UnframedPanel>
  );
}

/** A button without confirmation, because creating a new invitation takes only seconds. */
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

interface InviteMemberProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** A dialog that creates an invitation and shows its link. The owner must send the link: the service sends no e-mail. */
export function InviteMember({ opened, onClose }: InviteMemberProps) {
  const { id: workspaceId } = useWorkspace();
  const form = useForm({
    initialValues: { email: '', role: 'member' as MemberRole },
    validate: { email: checkEmail },
  });
  const invite = useMutation(
    admin.invitations.create.mutationOptions({
      onSuccess: () =>
        queryClient.invalidateQueries({ queryKey: admin.invitations.list.pathKey() }),
    }),
  );
  const close = () => {
    onClose();
    form.reset();
    invite.reset();
  };
  const created = invite.data;
  // An accidental click or Escape must not lose a link that is shown only once.
  const canClose = !created && !invite.isPending;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={created ? 'Send this link' : 'Invite a member'}
      closeOnClickOutside={canClose}
      closeOnEscape={canClose}
    >
      {created ? (
        <Stack role="status">
          <Text>
            Send it to {created.invitation.email}. It works once, until{' '}
            {formatDateTime(created.invitation.expiresAt)}, and is shown only once.
          </Text>
          <CodeBlock label="Link of the invitation">{created.link}</CodeBlock>
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={form.onSubmit((values) => invite.mutate({ workspaceId, ...values }))}
          noValidate
        >
          <Stack>
            {invite.error && <ErrorNotice error={invite.error} />}
            <TextInput
              label="E-mail address"
              description="Only the person who signs in with it can accept."
              type="email"
              data-autofocus
              {...form.getInputProps('email')}
            />
            <NativeSelect label="Role" data={roleChoices} {...form.getInputProps('role')} />
            <FormActions
              submitLabel="Create the link"
              isPending={invite.isPending}
              onCancel={close}
            />
          </Stack>
        </form>
      )}
    </Modal>
  );
}
