import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Store } from '../store/store.ts';
import type { ProgressReader } from '../temporal/progress.ts';
import type { Relay } from '../temporal/relay.ts';

/** What the routes work with, composed once in `api/main.ts`. */
export interface ApiContext {
  readonly config: Config;
  readonly store: Store;
  readonly relay: Pick<Relay, 'wake'>;
  readonly progress: ProgressReader;
  readonly log: Logger;
  /** Address by which clients reach us, without /v1. */
  readonly publicUrl: () => string;
}
