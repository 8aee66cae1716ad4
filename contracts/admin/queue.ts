import { z } from 'zod';
import { milliseconds, timestamp } from '../fields.ts';

/** Jobs of one workspace that wait for a worker. */
export const workspaceQueueSchema = z.strictObject({
  workspaceId: z.string(),
  workspaceName: z.string(),
  /** Under the ceiling of the plan, and waiting for a browser. */
  admitted: z.int().nonnegative(),
  /** Waiting for a place under the ceiling. */
  notAdmitted: z.int().nonnegative(),
  rendering: z.int().nonnegative(),
  oldestQueuedAt: timestamp.optional(),
});
export type WorkspaceQueue = z.infer<typeof workspaceQueueSchema>;

/** A task queue as Temporal knows it. */
export const taskQueueSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['workflow', 'activity']),
  /** Tasks that no worker has taken yet. */
  backlog: z.int().nonnegative(),
  backlogAgeMs: milliseconds,
  workers: z.array(
    z.strictObject({
      identity: z.string(),
      lastSeenAt: timestamp,
      slots: z.int().positive().optional(),
      browsers: z.int().positive().optional(),
    }),
  ),
});
export type TaskQueueStatus = z.infer<typeof taskQueueSchema>;
