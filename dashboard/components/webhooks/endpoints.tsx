import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import type { WebhookEndpoint } from '../../../contracts/admin/webhooks.ts';
import { webhookFailingMs } from '../../../contracts/limits.ts';
import { formatSpan } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { DataTable } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { Section } from '../section.tsx';
import { Badge } from '../status-badge.tsx';
import { rowsOfList } from '../table-rows.ts';
import { CreateEndpoint } from './create-endpoint.tsx';
import { EndpointMenu } from './endpoint-menu.tsx';
import classes from './endpoints.module.css';

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
