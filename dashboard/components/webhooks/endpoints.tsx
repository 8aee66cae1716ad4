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
import { Badge, type StateLook } from '../ui/badge.tsx';
import { FormActions } from '../ui/buttons.tsx';
import { DataTable, rowsOfList } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { UnframedPanel } from '../ui/panel.tsx';
import { RelativeTime } from '../ui/text.tsx';
import { EndpointMenu, SecretNotice } from './endpoint-menu.tsx';
import classes from './webhooks.module.css';

interface EndpointsProps {
  readonly list: UseQueryResult<{ items: WebhookEndpoint[] }, unknown>;
}

/** The endpoints of the workspace. */
export function Endpoints({ list }: EndpointsProps) {
  const { canManage } = useWorkspace();
  const [creating, { open, close }] = useDisclosure();
  return (
    <UnframedPanel
      title="Endpoints"
      description="Each endpoint gets an event when a job of this workspace ends."
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
          <EmptyState title="No endpoint yet" command={receiverCommand}>
            An endpoint is an https address of yours that gets a signed POST when a job ends. To try
            it, start this receiver, which verifies and prints events. Make it reachable by https,
            then add its address here.
          </EmptyState>
        }
        {...rowsOfList(list)}
      />
      <CreateEndpoint opened={creating} onClose={close} />
    </UnframedPanel>
  );
}

/** Starts the example receiver. */
const receiverCommand = `WEBHOOK_SECRET=whsec_… PORT=8080 node examples/webhook-receiver/receiver.js`;

const disabledLooks = {
  manual: { label: 'Disabled', tone: 'neutral' },
  gone: { label: 'Disabled: it answered 410', tone: 'bad' },
  failing: { label: `Disabled: it failed for ${formatSpan(webhookFailingMs)}`, tone: 'bad' },
} as const satisfies Record<NonNullable<WebhookEndpoint['disabledReason']>, StateLook>;

const EndpointState = ({ enabled, disabledReason = 'manual' }: WebhookEndpoint) =>
  enabled ? (
    <Badge tone="good">Enabled</Badge>
  ) : (
    <Badge tone={disabledLooks[disabledReason].tone}>{disabledLooks[disabledReason].label}</Badge>
  );

interface CreateEndpointProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks for the address, creates the endpoint and shows its secret. */
function CreateEndpoint({ opened, onClose }: CreateEndpointProps) {
  const { id: workspaceId } = useWorkspace();
  const form = useForm({
    initialValues: { url: '' },
    validate: {
      url: (url) =>
        createWebhookEndpointBody.safeParse({ url }).success
          ? null
          : 'Enter a full URL, such as https://example.com/webhooks.',
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
    // Removes the secret from the memory of this page.
    create.reset();
  };
  const created = create.data;
  // An accidental click or Escape must not close the dialog before the secret is copied.
  const canClose = !created && !create.isPending;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={created ? 'Give this secret to the receiver' : 'Add an endpoint'}
      closeOnClickOutside={canClose}
      closeOnEscape={canClose}
    >
      {created ? (
        <Stack>
          <SecretNotice secret={created.secret}>
            The receiver uses it to verify that events come from this service. Owners can reveal it
            again later. The audit log records that.
          </SecretNotice>
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
