import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ApiKey } from '../../../contracts/admin/api-keys.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatExact } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ConfirmButton } from '../confirm-button.tsx';

export function RevokeApiKey({ apiKey: { id, name, lastUsedAt } }: { apiKey: ApiKey }) {
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
        Whatever uses it is refused from now on, and it cannot be brought back.{' '}
        {lastUsedAt ? `It was last used on ${formatExact(lastUsedAt)}.` : 'It has never been used.'}
      </Text>
    </ConfirmButton>
  );
}
