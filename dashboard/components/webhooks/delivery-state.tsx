import type { WebhookDelivery } from '../../../contracts/admin/webhooks.ts';
import { admin, queryClient } from '../../admin.ts';
import { Badge } from '../ui/badge.tsx';

const looks = {
  pending: { label: 'Pending', tone: 'active' },
  succeeded: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
} as const;

export const deliveryLabel = (state: WebhookDelivery['state']): string => looks[state].label;

export const DeliveryState = ({ state }: Pick<WebhookDelivery, 'state'>) => (
  <Badge tone={looks[state].tone}>{looks[state].label}</Badge>
);

/** Often enough to see an attempt come back; a retry is seconds away at least. */
const pendingMs = 2_000;

/** For new ones, of a list of which none is under way. */
const calmMs = 15_000;

const isPending = ({ state }: WebhookDelivery): boolean => state === 'pending';

export const deliveryInterval = (delivery: WebhookDelivery | undefined): number | false =>
  delivery && isPending(delivery) ? pendingMs : false;

export const deliveryListInterval = (deliveries: readonly WebhookDelivery[] | undefined): number =>
  deliveries?.some(isPending) ? pendingMs : calmMs;

/** After something was sent on demand. */
export const refreshDeliveries = () =>
  queryClient.invalidateQueries({ queryKey: admin.webhooks.listDeliveries.pathKey() });
