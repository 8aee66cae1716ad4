import { Anchor, Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import type { WebhookAttempt as Attempt, WebhookDelivery } from '../../contracts/admin/webhooks.ts';
import { admin, isInaccessible } from '../admin.ts';
import { Badge } from '../components/ui/badge.tsx';
import { CodeBlock, Copyable } from '../components/ui/copy.tsx';
import { Facts } from '../components/ui/facts.tsx';
import { ErrorNotice, notifyFailure } from '../components/ui/notice.tsx';
import { PageHeader, PageSkeleton } from '../components/ui/page.tsx';
import { Panel } from '../components/ui/panel.tsx';
import { RelativeTime } from '../components/ui/text.tsx';
import {
  DeliveryState,
  deliveryInterval,
  deliveryLabel,
  refreshDeliveries,
} from '../components/webhooks/delivery-state.tsx';
import classes from '../components/webhooks/webhooks.module.css';
import { formatDuration } from '../formats.ts';
import { useWorkspace } from '../session.tsx';

/** One delivery and its attempts, the newest first. */
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
  if (error && (!data || isInaccessible(error)))
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
            The first attempt is in progress.
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

/** The request and the response of one attempt. */
function WebhookAttempt({ attempt }: { attempt: Attempt }) {
  const { responseStatus, error, durationMs, startedAt } = attempt;
  const delivered = responseStatus !== undefined && responseStatus >= 200 && responseStatus < 300;
  return (
    <Panel
      title={`Attempt ${attempt.attempt}`}
      description={
        <>
          <RelativeTime at={startedAt} />, took {formatDuration(durationMs)}
        </>
      }
      actions={
        <Badge tone={delivered ? 'good' : 'bad'}>
          {responseStatus === undefined ? 'No response' : `Response ${responseStatus}`}
        </Badge>
      }
    >
      {error && (
        <Text size="sm" c="red" mb="sm">
          {error}
        </Text>
      )}
      <div className={classes.sides}>
        <HttpMessage
          attempt={attempt.attempt}
          title="Request"
          headers={attempt.requestHeaders}
          body={attempt.requestBody}
        />
        {responseStatus === undefined ? (
          <Text size="sm" c="dimmed">
            There was no response.
          </Text>
        ) : (
          <HttpMessage
            attempt={attempt.attempt}
            title="Response"
            headers={attempt.responseHeaders ?? {}}
            body={attempt.responseBody ?? ''}
          />
        )}
      </div>
    </Panel>
  );
}

interface HttpMessageProps {
  /** The number of the attempt. */
  readonly attempt: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers and the body of a request or a response. */
const HttpMessage = ({ attempt, title, headers, body }: HttpMessageProps) => (
  <div className={classes.side}>
    <h3>{title}</h3>
    <MessagePart title={`${title} headers of attempt ${attempt}`}>
      {Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}
    </MessagePart>
    <MessagePart title={`${title} body of attempt ${attempt}`}>{indentJson(body)}</MessagePart>
  </div>
);

const MessagePart = ({ title, children }: { title: string; children: string }) =>
  children === '' ? (
    <Text size="sm" c="dimmed">
      {title}: empty
    </Text>
  ) : (
    <CodeBlock label={title}>{children}</CodeBlock>
  );

/** Indents JSON. Other text, such as JSON that was cut, stays as it is. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
