import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import {
  createWebhookEndpointBody,
  type WebhookEndpoint,
} from '../../../contracts/admin/webhooks.ts';
import { webhookFailingMs } from '../../../contracts/limits.ts';
import { webhookAttemptTimeoutMs } from '../../../contracts/processes/workflows.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatSpan } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { Badge } from '../ui/badge.tsx';
import { FormActions } from '../ui/buttons.tsx';
import { DataTable, rowsOfList } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Section } from '../ui/panel.tsx';
import { RelativeTime } from '../ui/text.tsx';
import { EndpointMenu, SecretShown } from './endpoint-menu.tsx';
import classes from './webhooks.module.css';

interface EndpointsProps {
  readonly list: UseQueryResult<{ items: WebhookEndpoint[] }, unknown>;
}

/** Who is told of the end of each job. */
export function Endpoints({ list }: EndpointsProps) {
  const { canManage } = useWorkspace();
  const [creating, { open, close }] = useDisclosure();
  return (
    <Section
      title="Endpoints"
      description="Each is told of the end of every job of this workspace."
      actions={canManage && <Button onClick={open}>Add an endpoint</Button>}
    >
      <DataTable
        caption="Endpoints"
        columns={[
          { header: 'URL', cell: ({ url }) => <code className={classes.url}>{url}</code> },
          { header: 'State', cell: (endpoint) => <EndpointState {...endpoint} /> },
          {
            header: 'Added',
            wideOnly: true,
            align: 'end',
            cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
          },
          ...(canManage
            ? [
                {
                  header: 'Actions',
                  headerHidden: true,
                  align: 'end' as const,
                  cell: (endpoint: WebhookEndpoint) => <EndpointMenu endpoint={endpoint} />,
                },
              ]
            : []),
        ]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No endpoint yet" command={receiverCommands}>
            An endpoint is an https address of yours that gets a signed POST when a job ends. To see
            one come in, this receiver verifies and prints them; put it behind an https address,
            then add that here.
          </EmptyState>
        }
        {...rowsOfList(list)}
      />
      <CreateEndpoint opened={creating} onClose={close} />
    </Section>
  );
}

/** The receiver to copy, started as its own documentation says. */
const receiverCommands = `WEBHOOK_SECRET=whsec_… PORT=8080 node examples/webhook-receiver/receiver.js`;

const disabledBecause = {
  manual: 'Disabled',
  gone: 'Disabled: it answered 410',
  failing: `Disabled: it failed for ${formatSpan(webhookFailingMs)}`,
} as const;

const EndpointState = ({ enabled, disabledReason = 'manual' }: WebhookEndpoint) =>
  enabled ? (
    <Badge tone="good">Enabled</Badge>
  ) : (
    <Badge tone={disabledReason === 'manual' ? 'waiting' : 'bad'}>
      {disabledBecause[disabledReason]}
    </Badge>
  );

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
