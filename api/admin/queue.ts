import { taskQueueSchema, workspaceQueueSchema } from '../../contracts/admin/queue.ts';
import { listOf } from '../../contracts/pagination.ts';
import { listWorkspaceQueues } from '../../store/jobs/workspace-queues.ts';
import { memberProcedure, operatorProcedure, router } from './procedures.ts';

/** What waits, for how long, and who works on it. */
export const queueRouter = router({
  /** Of one workspace. */
  get: memberProcedure
    .output(workspaceQueueSchema)
    .query(async ({ ctx: { service, workspace } }) => {
      const [standing] = await listWorkspaceQueues(service.store.sql, workspace.id);
      const { id: workspaceId, name: workspaceName } = workspace;
      return standing ?? { workspaceId, workspaceName, admitted: 0, notAdmitted: 0, rendering: 0 };
    }),

  /** Of every workspace that has jobs which have not ended, the longest waiting first. */
  list: operatorProcedure
    .output(listOf(workspaceQueueSchema))
    .query(async ({ ctx }) => ({ items: await listWorkspaceQueues(ctx.service.store.sql) })),

  /** Task queues and their workers, as Temporal knows them. */
  workers: operatorProcedure
    .output(listOf(taskQueueSchema))
    .query(async ({ ctx }) => ({ items: await ctx.service.readTaskQueues() })),
});
