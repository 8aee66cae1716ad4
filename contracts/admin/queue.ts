import { z } from 'zod';
import { milliseconds, timestamp } from '../fields.ts';

/** Numbers of waiting and rendering jobs of a workspace. */
export const workspaceQueueSchema = z.strictObject({
  workspaceId: z.string(),
  workspaceName: z.string(),
  /** Jobs under the concurrency ceiling of the plan that wait for a browser or for a retry. */
  admitted: z.int().nonnegative(),
  /** Jobs that wait for a place under the ceiling. */
  notAdmitted: z.int().nonnegative(),
  rendering: z.int().nonnegative(),
  /** Absent if no job is queued. */
  oldestQueuedAt: timestamp.optional(),
});
export type WorkspaceQueue = z.infer<typeof workspaceQueueSchema>;

/** The state of a task queue in Temporal. */
export const taskQueueSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['workflow', 'activity']),
  /** Number of tasks that no worker has started. */
  backlog: z.int().nonnegative(),
  /** Age of the oldest of these tasks. */
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
