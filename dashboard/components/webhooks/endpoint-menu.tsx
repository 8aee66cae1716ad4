import { ActionIcon, Button, Group, Menu, Modal, Stack } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import type { WebhookEndpoint } from '../../../contracts/admin/webhooks.ts';
import { webhookSecretOverlapMs } from '../../../contracts/limits.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatSpan } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { ConfirmDialog } from '../ui/buttons.tsx';
import { CodeBlock } from '../ui/copy.tsx';
import { Notice, notifyFailure } from '../ui/notice.tsx';
import { refreshDeliveries } from './delivery-state.tsx';

const overlap = formatSpan(webhookSecretOverlapMs);

/** What can be done with an endpoint. */
export function EndpointMenu({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'rotate' | 'delete'>();
  const done = async () => {
    setAsking(undefined);
    await queryClient.invalidateQueries({ queryKey: admin.webhooks.listEndpoints.pathKey() });
  };
  const { webhooks } = admin;
  const update = useMutation(
    webhooks.updateEndpoint.mutationOptions({ onSuccess: done, onError: notifyFailure }),
  );
  const remove = useMutation(webhooks.deleteEndpoint.mutationOptions({ onSuccess: done }));
  const rotate = useMutation(webhooks.rotateSecret.mutationOptions({ onSuccess: done }));
  const reveal = useMutation(webhooks.revealSecret.mutationOptions({ onError: notifyFailure }));
  const test = useMutation(
    webhooks.test.mutationOptions({
      onSuccess: async ({ id }) => {
        await navigate(`/${workspaceId}/webhooks/${id}`);
        await refreshDeliveries();
      },
      onError: notifyFailure,
    }),
  );
  const target = { workspaceId, endpointId: endpoint.id };
  const secret = rotate.data?.secret ?? reveal.data?.secret;
  const forgetSecret = () => {
    rotate.reset();
    reveal.reset();
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${endpoint.url}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={!endpoint.enabled} onClick={() => test.mutate(target)}>
            Send a test
          </Menu.Item>
          <Menu.Item onClick={() => update.mutate({ ...target, enabled: !endpoint.enabled })}>
            {endpoint.enabled ? 'Disable' : 'Enable'}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => reveal.mutate(target)}>Reveal the secret</Menu.Item>
          <Menu.Item onClick={() => setAsking('rotate')}>Rotate the secret</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => setAsking('delete')}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking === 'rotate'}
        onClose={() => setAsking(undefined)}
        title="Rotate the secret?"
        confirmLabel="Rotate"
        destructive={false}
        isPending={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate(target)}
      >
        A new secret signs from now on. The one before signs too for {overlap}, so that the receiver
        can be given the new one meanwhile.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'delete'}
        onClose={() => setAsking(undefined)}
        title="Delete this endpoint?"
        confirmLabel="Delete endpoint"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(target)}
      >
        {endpoint.url} is told nothing more, and the log of its deliveries goes for good.
      </ConfirmDialog>
      <SecretDialog secret={secret} isNew={rotate.data !== undefined} onClose={forgetSecret} />
    </>
  );
}

interface SecretDialogProps {
  /** Shown while there is one. */
  readonly secret: string | undefined;
  readonly isNew: boolean;
  readonly onClose: () => void;
}

const SecretDialog = ({ secret, isNew, onClose }: SecretDialogProps) => (
  <Modal
    opened={secret !== undefined}
    onClose={onClose}
    size="lg"
    title="Signing secret"
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    <Stack>
      <SecretShown secret={secret ?? ''}>
        {isNew
          ? `The new secret. The one before signs too for ${overlap}.`
          : 'The secret that signs now. The audit log tells that it was revealed.'}
      </SecretShown>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  </Modal>
);

/** The secret with which a receiver verifies what it gets. */
export const SecretShown = ({ secret, children }: { secret: string; children: ReactNode }) => (
  <Stack role="status">
    <Notice tone="warning">{children}</Notice>
    <CodeBlock label="Signing secret">{secret}</CodeBlock>
  </Stack>
);
