import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { MemberRole } from '../../../contracts/admin/members.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatExact } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { CodeBlock } from '../code-block.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { FormActions } from '../form-actions.tsx';
import { checkEmail } from '../form-rules.ts';
import { roleChoices } from './roles.ts';

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
