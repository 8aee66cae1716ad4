import { Anchor, Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import type { WebhookDelivery } from '../../contracts/admin/webhooks.ts';
import { admin, isWithheld } from '../admin.ts';
import { Copyable } from '../components/copyable.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Facts } from '../components/facts.tsx';
import { notifyFailure } from '../components/notify-failure.ts';
import { PageHeader } from '../components/page-header.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { Panel } from '../components/panel.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import {
  DeliveryState,
  deliveryInterval,
  deliveryLabel,
  refreshDeliveries,
} from '../components/webhooks/delivery-state.tsx';
import { WebhookAttempt } from '../components/webhooks/webhook-attempt.tsx';
import { useWorkspace } from '../layout/workspace.tsx';

/** One delivery, attempt by attempt. */
export default function WebhookDeliveryPage() {
  const { id: workspaceId, canManage } = useWorkspace();
  const { deliveryId = '' } = useParams();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(
    admin.webhooks.getDelivery.queryOptions(
      { workspaceId, deliveryId },
      { refetchInterval: ({ state: { data } }) => deliveryInterval(data?.delivery) },
    ),
  );
  const replay = useMutation(
    admin.webhooks.replay.mutationOptions({
      onSuccess: async ({ id }) => {
        await navigate(`/${workspaceId}/webhooks/${id}`);
        await refreshDeliveries();
      },
      onError: notifyFailure,
    }),
  );
  const back = { to: `/${workspaceId}/webhooks`, title: 'Webhooks' };
  if (error && (!data || isWithheld(error)))
    return (
      <>
        <PageHeader title="Delivery" back={back} />
        <ErrorNotice error={error} retry={refetch} />
      </>
    );
  if (!data) return <PageSkeleton />;
  const { delivery, attempts } = data;
  return (
    <>
      <PageHeader
        title={delivery.jobId ? 'Delivery' : 'Test delivery'}
        back={back}
        badge={<DeliveryState {...delivery} />}
        actions={
          canManage &&
          delivery.state !== 'pending' && (
            <Button
              loading={replay.isPending}
              onClick={() => replay.mutate({ workspaceId, deliveryId })}
            >
              Send again
            </Button>
          )
        }
      />
      <VisuallyHidden role="status">
        {`The delivery is now: ${deliveryLabel(delivery.state)}`}
      </VisuallyHidden>
      <Stack gap="lg">
        {error && <ErrorNotice error={error} retry={refetch} />}
        <DeliveryFacts delivery={delivery} />
        {attempts.length === 0 && (
          <Text size="sm" c="dimmed">
            The first attempt is under way.
          </Text>
        )}
        {attempts.toReversed().map((attempt) => (
          <WebhookAttempt key={attempt.attempt} attempt={attempt} />
        ))}
      </Stack>
    </>
  );
}

function DeliveryFacts({ delivery }: { delivery: WebhookDelivery }) {
  const { id: workspaceId } = useWorkspace();
  const endpoints = useQuery(admin.webhooks.listEndpoints.queryOptions({ workspaceId }));
  const endpoint = endpoints.data?.items.find(({ id }) => id === delivery.endpointId);
  return (
    <Panel title="Event">
      <Facts
        facts={[
          { label: 'Endpoint', value: endpoint?.url ?? delivery.endpointId },
          {
            label: 'Job',
            value: delivery.jobId && (
              <Anchor component={Link} to={`/${workspaceId}/jobs/${delivery.jobId}`} inherit>
                Open the job
              </Anchor>
            ),
          },
          { label: 'Created', value: <RelativeTime at={delivery.createdAt} /> },
          {
            label: 'Next attempt',
            value: delivery.nextAttemptAt && <RelativeTime at={delivery.nextAttemptAt} />,
          },
          {
            label: 'Ended',
            value: delivery.finishedAt && <RelativeTime at={delivery.finishedAt} />,
          },
          {
            label: 'webhook-id',
            value: <Copyable value={delivery.eventId} label="the event's id" />,
          },
        ]}
      />
    </Panel>
  );
}
