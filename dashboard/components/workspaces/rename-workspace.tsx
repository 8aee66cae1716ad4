import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { Copyable } from '../copyable.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { checkWorkspaceName } from '../form-rules.ts';
import { Panel } from '../panel.tsx';

/** What people call the workspace, and what programs do. */
export function RenameWorkspace() {
  const { id: workspaceId, name } = useWorkspace();
  const form = useForm({ initialValues: { name }, validate: { name: checkWorkspaceName } });
  const rename = useMutation(
    admin.workspaces.rename.mutationOptions({
      onSuccess: async (workspace) => {
        notifications.show({ message: `The workspace is called ${workspace.name}.` });
        await queryClient.invalidateQueries({ queryKey: admin.workspaces.pathKey() });
      },
    }),
  );
  return (
    <Panel title="Workspace" actions={<Copyable value={workspaceId} label="id of the workspace" />}>
      <form
        onSubmit={form.onSubmit((given) => rename.mutate({ workspaceId, ...given }))}
        noValidate
      >
        {rename.error && <ErrorNotice error={rename.error} />}
        <Group align="flex-end" gap="xs">
          <TextInput label="Name" miw={260} {...form.getInputProps('name')} />
          <Button type="submit" variant="default" loading={rename.isPending}>
            Save the name
          </Button>
        </Group>
      </form>
    </Panel>
  );
}
