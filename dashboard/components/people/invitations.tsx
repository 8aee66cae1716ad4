import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { MemberRole } from '../../../contracts/admin/members.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatExact } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { FormActions } from '../ui/buttons.tsx';
import { CodeBlock } from '../ui/copy.tsx';
import { DataTable, rowsOfList } from '../ui/data-table.tsx';
import { checkEmail } from '../ui/form-rules.ts';
import { ErrorNotice, notifyFailure } from '../ui/notice.tsx';
import { Section } from '../ui/panel.tsx';
import { RelativeTime } from '../ui/text.tsx';
import { roleChoices, roleLabel } from './roles.ts';

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

interface InviteMemberProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a link to hand on; no mail is sent. */
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
  const made = invite.data;
  // A click beside the dialog or Escape must not lose a link that cannot be shown again, nor one that is being made.
  const mayClose = !made && !invite.isPending;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={made ? 'Hand on this link' : 'Invite somebody'}
      closeOnClickOutside={mayClose}
      closeOnEscape={mayClose}
    >
      {made ? (
        <Stack role="status">
          <Text>
            Send it to {made.invitation.email}. It works once, until{' '}
            {formatExact(made.invitation.expiresAt)}, and is not shown again.
          </Text>
          <CodeBlock label="Link of the invitation">{made.link}</CodeBlock>
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={form.onSubmit((given) => invite.mutate({ workspaceId, ...given }))}
          noValidate
        >
          <Stack>
            {invite.error && <ErrorNotice error={invite.error} />}
            <TextInput
              label="E-mail address"
              description="Only whoever signs in by it can accept."
              type="email"
              data-autofocus
              {...form.getInputProps('email')}
            />
            <NativeSelect label="Role" data={roleChoices} {...form.getInputProps('role')} />
            <FormActions
              submitLabel="Make the link"
              isPending={invite.isPending}
              onCancel={close}
            />
          </Stack>
        </form>
      )}
    </Modal>
  );
}
