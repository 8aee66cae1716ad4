import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ApiKey } from '../../../contracts/schemas/people.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatExact } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';

export function RevokeApiKey({ apiKey: { id, name, lastUsedAt } }: { apiKey: ApiKey }) {
  const { id: workspaceId } = useWorkspace();
  const [opened, dialog] = useDisclosure();
  const revoke = useMutation(
    admin.apiKeys.revoke.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: `The key ${name} is revoked.` });
        await queryClient.invalidateQueries({ queryKey: admin.apiKeys.list.pathKey() });
      },
    }),
  );
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        onClick={dialog.open}
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title={`Revoke ${name}?`}
        confirmLabel="Revoke"
        onConfirm={() => revoke.mutate({ workspaceId, keyId: id })}
        isPending={revoke.isPending}
        error={revoke.error}
      >
        <Text>
          Whatever uses it is refused from now on, and it cannot be brought back.{' '}
          {lastUsedAt
            ? `It was last used on ${formatExact(lastUsedAt)}.`
            : 'It has never been used.'}
        </Text>
      </ConfirmDialog>
    </>
  );
}
