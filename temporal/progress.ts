import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { renderJobQuery, workflowIds } from '../contracts/processes/workflows.ts';
import type { JobProgress } from '../contracts/rest/schemas/job-progress.ts';
import { answerWithin } from './connection.ts';

/** A poll never waits longer for the workflow: its row answers it. */
const queryDeadlineMs = 150;
/** After a miss no workflow is asked for so long: a worker that is down would cost every poll its deadline. */
const breakerMs = 5_000;
/** Polls of one job within this time share one query, which costs 6 to 10 ms of CPU. */
const sharedMs = 250;
const maxSharedJobs = 10_000;

/** Asks running workflows what they wait for (REST 4.3, field `progress`); undefined when none answers in time. */
export interface ProgressReader {
  read(jobId: string): Promise<JobProgress | undefined>;
}

export function createProgressReader(temporal: Client): ProgressReader {
  const recent = new LRUCache<string, Promise<JobProgress | undefined>>({
    max: maxSharedJobs,
    ttl: sharedMs,
  });
  let closedUntil = 0;

  const query = async (jobId: string): Promise<JobProgress | undefined> => {
    const handle = temporal.workflow.getHandle(workflowIds.renderJob(jobId));
    try {
      return await answerWithin(temporal, queryDeadlineMs, () =>
        handle.query<JobProgress>(renderJobQuery),
      );
    } catch {
      closedUntil = Date.now() + breakerMs;
      return undefined;
    }
  };

  return {
    async read(jobId) {
      const shared = recent.get(jobId);
      if (shared) return shared;
      if (Date.now() < closedUntil) return undefined;
      const answer = query(jobId);
      recent.set(jobId, answer);
      return answer;
    },
  };
}
