import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { createWebhookEndpointBody } from '../../../contracts/admin/webhooks.ts';
import { webhookAttemptTimeoutMs } from '../../../contracts/processes/workflows.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatSpan } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { FormActions } from '../form-actions.tsx';
import { SecretShown } from './secret-shown.tsx';

interface CreateEndpointProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks for the address, then shows the secret. */
export function CreateEndpoint({ opened, onClose }: CreateEndpointProps) {
  const { id: workspaceId } = useWorkspace();
  const form = useForm({
    initialValues: { url: '' },
    validate: {
      url: (url) =>
        createWebhookEndpointBody.safeParse({ url }).success
          ? null
          : 'Write a whole address, such as https://example.com/webhooks.',
    },
  });
  const create = useMutation(
    admin.webhooks.createEndpoint.mutationOptions({
      onSuccess: () =>
        queryClient.invalidateQueries({ queryKey: admin.webhooks.listEndpoints.pathKey() }),
    }),
  );
  const close = () => {
    onClose();
    form.reset();
    // The secret is gone from this page's memory with it.
    create.reset();
  };
  const created = create.data;
  // A click beside the dialog or Escape must not lose a secret that is not shown again by itself, nor one that is being made.
  const mayClose = !created && !create.isPending;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={created ? 'Give this secret to the receiver' : 'Add an endpoint'}
      closeOnClickOutside={mayClose}
      closeOnEscape={mayClose}
    >
      {created ? (
        <Stack>
          <SecretShown secret={created.secret}>
            The receiver verifies with it that what it gets is from here. It is not shown again by
            itself; owners can have it revealed, which the audit log tells.
          </SecretShown>
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit(({ url }) => create.mutate({ workspaceId, url }))} noValidate>
          <Stack>
            {create.error && <ErrorNotice error={create.error} />}
            <TextInput
              type="url"
              label="URL"
              description={`An https address that answers a POST with 2xx within ${formatSpan(webhookAttemptTimeoutMs)}`}
              placeholder="https://example.com/webhooks"
              data-autofocus
              {...form.getInputProps('url')}
            />
            <FormActions submitLabel="Add" isPending={create.isPending} onCancel={close} />
          </Stack>
        </form>
      )}
    </Modal>
  );
}
