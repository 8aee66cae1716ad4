import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { TaskQueueStatus } from '../contracts/admin/queue.ts';
import type { Store } from '../store/store.ts';
import type { ProgressReader } from '../temporal/progress.ts';
import type { Relay } from '../temporal/relay.ts';
import type { SignIn } from './people/sign-in.ts';

/** What the routes work with, composed once in `api/main.ts`. */
export interface ApiContext {
  readonly config: Config;
  readonly store: Store;
  readonly relay: Pick<Relay, 'wake'>;
  readonly progress: ProgressReader;
  readonly readTaskQueues: () => Promise<TaskQueueStatus[]>;
  readonly signIn: SignIn;
  readonly log: Logger;
  /** Address by which clients reach us, without /v1. */
  readonly publicUrl: () => string;
  /** Address of a workflow in the Temporal UI; undefined where that of the UI is not configured. */
  readonly temporalUiUrl: (workflowId: string) => string | undefined;
}
