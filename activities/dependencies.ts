import type { Logger } from 'pino';
import type { PlanCatalogue } from '../contracts/plans.ts';
import type { Network } from '../network/network.ts';
import type { Renderer } from '../renderer/renderer.ts';
import type { Store } from '../store/store.ts';
import type { DocumentCache } from './document-cache.ts';

export interface WebhookOptions {
  /** Delays before each attempt, the first included. */
  readonly retryScheduleMs: readonly number[];
  /** `host:port` that webhooks may reach although it is private. */
  readonly egressAllow: readonly string[];
  readonly attemptTimeoutMs: number;
  readonly network: Network;
}

/** What activities work with; tests hand in others where a fault must be forced. */
export interface ActivityDependencies {
  readonly store: Store;
  readonly renderer: Renderer;
  readonly documents: DocumentCache;
  readonly plans: PlanCatalogue;
  readonly transientOutputTtlMs: number;
  readonly webhooks: WebhookOptions;
  readonly log: Logger;
  /** The outbox was written to: deliver it now. */
  readonly wakeRelay: () => void;
}
