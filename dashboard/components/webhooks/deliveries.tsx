import { Anchor, Select, Stack } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  type WebhookDelivery,
  type WebhookEndpoint,
  webhookDeliveryListQuery,
} from '../../../contracts/admin/webhooks.ts';
import { webhookLogMs } from '../../../contracts/limits.ts';
import { webhookDeliveryStateSchema } from '../../../contracts/states.ts';
import { admin } from '../../admin.ts';
import { formatSpan } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { curlCommand } from '../../shell-commands.ts';
import { useDocuments } from '../documents/use-documents.ts';
import { byCursor, type Column, DataTable, rowsOfPages } from '../ui/data-table.tsx';
import { EmptyState, NoMatch } from '../ui/empty-state.tsx';
import { Filters, useFilter } from '../ui/filters.tsx';
import { UnframedPanel } from '../ui/panel.tsx';
import { RelativeTime } from '../ui/text.tsx';
import { DeliveryState, deliveryLabel, deliveryListInterval } from './delivery-state.tsx';
import classes from './webhooks.module.css';

const deliveryFilter = webhookDeliveryListQuery.pick({ endpointId: true, state: true });

/** The deliveries of all endpoints, newest first. */
export function Deliveries({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const { id: workspaceId } = useWorkspace();
  const { filter, change, clear, isUnfiltered } = useFilter(deliveryFilter);
  const list = useInfiniteQuery(
    admin.webhooks.listDeliveries.infiniteQueryOptions(
      { workspaceId, ...filter },
      {
        ...byCursor,
        placeholderData: keepPreviousData,
        refetchInterval: ({ state: { data } }) =>
          deliveryListInterval(data?.pages.flatMap(({ items }) => items)),
      },
    ),
  );
  const documents = useDocuments();
  return (
    <UnframedPanel
      title="Deliveries"
      description={`Deliveries are kept for ${formatSpan(webhookLogMs)} after they end.`}
    >
      <Stack gap="md">
        <Filters label="Filter deliveries" isUnfiltered={isUnfiltered} onClear={clear}>
          <Select
            label="State"
            placeholder="Any"
            clearable
            data={webhookDeliveryStateSchema.options.map((state) => ({
              value: state,
              label: deliveryLabel(state),
            }))}
            value={filter.state ?? null}
            onChange={(state) => change({ state: state ?? undefined })}
          />
          <Select
            label="Endpoint"
            placeholder="Any"
            clearable
            data={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
            value={filter.endpointId ?? null}
            onChange={(endpointId) => change({ endpointId: endpointId ?? undefined })}
          />
        </Filters>
        <DataTable
          caption="Deliveries"
          columns={deliveryColumns(workspaceId, endpoints)}
          rowKey={({ id }) => id}
          empty={
            isUnfiltered ? (
              <NoDeliveries deployId={documents.items[0]?.id} />
            ) : (
              <NoMatch one="delivery" many="deliveries" onClear={clear} />
            )
          }
          {...rowsOfPages(list)}
        />
      </Stack>
    </UnframedPanel>
  );
}

const deliveryColumns = (
  workspaceId: string,
  endpoints: readonly WebhookEndpoint[],
): readonly Column<WebhookDelivery>[] => [
  { header: 'State', cell: (delivery) => <DeliveryState {...delivery} /> },
  {
    header: 'Event',
    cell: ({ id, jobId }) => (
      <Anchor component={Link} to={`/${workspaceId}/webhooks/${id}`} inherit>
        {jobId ? 'Job ended' : 'Test'}
      </Anchor>
    ),
  },
  {
    header: 'Endpoint',
    wideOnly: true,
    cell: ({ endpointId }) => (
      <code className={classes.url}>{endpoints.find(({ id }) => id === endpointId)?.url}</code>
    ),
  },
  { header: 'Attempts', align: 'end', wideOnly: true, cell: ({ attempts }) => attempts },
  {
    header: 'Next attempt',
    align: 'end',
    wideOnly: true,
    cell: ({ nextAttemptAt }) => nextAttemptAt !== undefined && <RelativeTime at={nextAttemptAt} />,
  },
  { header: 'Created', align: 'end', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

const NoDeliveries = ({ deployId = '<deploy id>' }: { deployId: string | undefined }) => (
  <EmptyState
    title="No deliveries yet"
    command={curlCommand('POST', '/render-jobs', { deployId, payload: { number: 'INV-1042' } })}
  >
    When a job ends, each enabled endpoint gets an event. The menu of an endpoint sends a test event
    at once.
  </EmptyState>
);
