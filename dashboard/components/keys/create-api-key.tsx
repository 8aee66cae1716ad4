import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import { environmentCommand, listDocumentsCommand } from '../../shell-commands.ts';
import { FormActions } from '../ui/buttons.tsx';
import { CodeBlock } from '../ui/copy.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';

interface CreateApiKeyProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks for a name, creates the key and shows it once. */
export function CreateApiKey({ opened, onClose }: CreateApiKeyProps) {
  const { id: workspaceId } = useWorkspace();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() ? null : 'Name the program that will use it.') },
  });
  const create = useMutation(
    admin.apiKeys.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: admin.apiKeys.list.pathKey() }),
    }),
  );
  const close = () => {
    onClose();
    form.reset();
    // Removes the key from the memory of this page.
    create.reset();
  };
  const created = create.data;
  // An accidental click or Escape must not lose a key that is shown only once.
  const canClose = !created && !create.isPending;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={created ? 'Copy the key now' : 'Create an API key'}
      closeOnClickOutside={canClose}
      closeOnEscape={canClose}
    >
      {created ? (
        <Stack role="status">
          <Notice tone="warning">The key is shown only once.</Notice>
          <CodeBlock label="API key">{created.key}</CodeBlock>
          <Text size="sm">Try it in a terminal:</Text>
          <CodeBlock label="Commands that list documents">
            {`${environmentCommand(created.key)}\n${listDocumentsCommand}`}
          </CodeBlock>
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={form.onSubmit(({ name }) => create.mutate({ workspaceId, name }))}
          noValidate
        >
          <Stack>
            {create.error && <ErrorNotice error={create.error} />}
            <TextInput
              label="Name"
              description="Which program uses it, such as: billing, production"
              maxLength={255}
              data-autofocus
              {...form.getInputProps('name')}
            />
            <FormActions submitLabel="Create" isPending={create.isPending} onCancel={close} />
          </Stack>
        </form>
      )}
    </Modal>
  );
}
