import type { WebhookDelivery } from '../../../contracts/admin/webhooks.ts';
import { admin, queryClient } from '../../admin.ts';
import { Badge, type StateLook } from '../ui/badge.tsx';

const stateLooks = {
  pending: { label: 'Pending', tone: 'active' },
  succeeded: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
} as const satisfies Record<WebhookDelivery['state'], StateLook>;

export const deliveryLabel = (state: WebhookDelivery['state']): string => stateLooks[state].label;

export const DeliveryState = ({ state }: Pick<WebhookDelivery, 'state'>) => (
  <Badge tone={stateLooks[state].tone}>{stateLooks[state].label}</Badge>
);

/** The refetch interval while a delivery is pending. Retries are at least seconds apart. */
const pendingMs = 2_000;

/** The refetch interval of a list without pending deliveries, to find new ones. */
const idleMs = 15_000;

const isPending = ({ state }: WebhookDelivery): boolean => state === 'pending';

export const deliveryInterval = (delivery: WebhookDelivery | undefined): number | false =>
  delivery && isPending(delivery) ? pendingMs : false;

export const deliveryListInterval = (deliveries: readonly WebhookDelivery[] | undefined): number =>
  deliveries?.some(isPending) ? pendingMs : idleMs;

/** Refetches the list of deliveries after the user has sent a test or replayed a delivery. */
export const refreshDeliveries = () =>
  queryClient.invalidateQueries({ queryKey: admin.webhooks.listDeliveries.pathKey() });
