import type { WebhookDelivery } from '../../../contracts/schemas/webhooks.ts';
import { Badge } from '../status-badge.tsx';

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

/** Of what shows deliveries: asked for again while one is under way. */
export const deliveryInterval = (deliveries: readonly WebhookDelivery[] | undefined) =>
  deliveries?.some(({ state }) => state === 'pending') ? pendingMs : false;
