import type { Logger } from 'pino';
import type { PlanCatalogue } from '../contracts/plans.ts';
import type { Network } from '../network/network.ts';
import type { Renderer } from '../renderer/renderer.ts';
import type { Store } from '../store/store.ts';
import type { DocumentCache } from './document-cache.ts';

export interface WebhookOptions {
  /** The delay before each attempt, the first included. There are as many attempts as delays. */
  readonly retryScheduleMs: readonly number[];
  /** Each `host:port` that webhooks may reach although its address is private. */
  readonly egressAllow: readonly string[];
  readonly attemptTimeoutMs: number;
  readonly network: Network;
}

/** Everything that activities use. Tests replace parts of it to force faults. */
export interface ActivityDependencies {
  readonly store: Store;
  readonly renderer: Renderer;
  readonly documents: DocumentCache;
  readonly plans: PlanCatalogue;
  readonly transientOutputTtlMs: number;
  readonly webhooks: WebhookOptions;
  readonly log: Logger;
  /** Makes the relay read the outbox now. */
  readonly wakeRelay: () => void;
}
