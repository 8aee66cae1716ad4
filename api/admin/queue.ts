import { taskQueueSchema, workspaceQueueSchema } from '../../contracts/admin/queue.ts';
import { listOf } from '../../contracts/pagination.ts';
import { listWorkspaceQueues } from '../../store/jobs/workspace-queues.ts';
import { memberProcedure, operatorProcedure, router } from './procedures.ts';

/** Numbers of waiting and rendering jobs, and the workers of all task queues. */
export const queueRouter = router({
  /** Gets the queue of one workspace. */
  get: memberProcedure
    .output(workspaceQueueSchema)
    .query(async ({ ctx: { service, workspace } }) => {
      const [queue] = await listWorkspaceQueues(service.store.sql, workspace.id);
      const { id: workspaceId, name: workspaceName } = workspace;
      return queue ?? { workspaceId, workspaceName, admitted: 0, notAdmitted: 0, rendering: 0 };
    }),

  /** Lists the queues of all workspaces with jobs that have not ended. The workspace whose job has been queued longest is first. */
  list: operatorProcedure
    .output(listOf(workspaceQueueSchema))
    .query(async ({ ctx }) => ({ items: await listWorkspaceQueues(ctx.service.store.sql) })),

  /** Lists the task queues of Temporal with their workers. */
  workers: operatorProcedure
    .output(listOf(taskQueueSchema))
    .query(async ({ ctx }) => ({ items: await ctx.service.readTaskQueues() })),
});
