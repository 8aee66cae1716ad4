import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { TaskQueueStatus } from '../contracts/admin/queue.ts';
import type { Store } from '../store/store.ts';
import type { ProgressReader } from '../temporal/progress.ts';
import type { Relay } from '../temporal/relay.ts';
import type { SignIn } from './people/sign-in.ts';

/** The dependencies of all routes, composed once in `api/main.ts`. */
export interface ApiContext {
  readonly config: Config;
  readonly store: Store;
  readonly relay: Pick<Relay, 'wake'>;
  readonly progress: ProgressReader;
  readonly readTaskQueues: () => Promise<TaskQueueStatus[]>;
  readonly signIn: SignIn;
  readonly log: Logger;
  /** Address under which clients reach this service, without /v1. */
  readonly publicUrl: () => string;
  /** Address of a workflow in the Temporal UI. Undefined if the address of the UI is not configured. */
  readonly temporalUiUrl: (workflowId: string) => string | undefined;
}
