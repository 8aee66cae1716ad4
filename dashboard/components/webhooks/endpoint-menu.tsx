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

/** How long the previous secret also signs, as text. */
const overlap = formatSpan(webhookSecretOverlapMs);

/** The actions on an endpoint. */
export function EndpointMenu({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const [confirming, setConfirming] = useState<'rotate' | 'delete'>();
  const onSuccess = async () => {
    setConfirming(undefined);
    await queryClient.invalidateQueries({ queryKey: admin.webhooks.listEndpoints.pathKey() });
  };
  const { webhooks } = admin;
  const update = useMutation(
    webhooks.updateEndpoint.mutationOptions({ onSuccess, onError: notifyFailure }),
  );
  const remove = useMutation(webhooks.deleteEndpoint.mutationOptions({ onSuccess }));
  const rotate = useMutation(webhooks.rotateSecret.mutationOptions({ onSuccess }));
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
  const clearSecret = () => {
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
          <Menu.Item onClick={() => setConfirming('rotate')}>Rotate the secret</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => setConfirming('delete')}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={confirming === 'rotate'}
        onClose={() => setConfirming(undefined)}
        title="Rotate the secret?"
        confirmLabel="Rotate"
        destructive={false}
        isPending={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate(target)}
      >
        A new secret signs events from now on. The previous secret also signs for {overlap}, so that
        you can update the receiver.
      </ConfirmDialog>
      <ConfirmDialog
        opened={confirming === 'delete'}
        onClose={() => setConfirming(undefined)}
        title="Delete this endpoint?"
        confirmLabel="Delete endpoint"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(target)}
      >
        {endpoint.url} gets no more events. The log of its deliveries is deleted for good.
      </ConfirmDialog>
      <SecretDialog secret={secret} isNew={rotate.data !== undefined} onClose={clearSecret} />
    </>
  );
}

interface SecretDialogProps {
  /** The dialog is open while this is defined. */
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
      <SecretNotice secret={secret ?? ''}>
        {isNew
          ? `This is the new secret. The previous one also signs for ${overlap}.`
          : 'This is the current secret. The audit log records that it was revealed.'}
      </SecretNotice>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  </Modal>
);

/** Shows the secret that a receiver verifies events with. */
export const SecretNotice = ({ secret, children }: { secret: string; children: ReactNode }) => (
  <Stack role="status">
    <Notice tone="warning">{children}</Notice>
    <CodeBlock label="Signing secret">{secret}</CodeBlock>
  </Stack>
);
