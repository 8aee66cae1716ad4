import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { renderJobQuery, workflowIds } from '../contracts/processes/workflows.ts';
import type { JobProgress } from '../contracts/rest/schemas/job-progress.ts';
import { answerWithin } from './connection.ts';

/** A client's poll waits at most this long for the workflow. If the workflow does not answer, the API answers from PostgreSQL alone. */
const queryDeadlineMs = 150;
/** After a failed query, no job is queried for this long. Otherwise, while no worker runs, every poll would wait until its deadline. */
const pauseAfterFailureMs = 5_000;
/** Polls of one job within this time share one query. A query costs 6 to 10 ms of CPU. */
const sharedMs = 250;
const maxSharedJobs = 10_000;

/** Reads from running workflows what they wait for (REST 4.3, field `progress`). */
export interface ProgressReader {
  /** Returns undefined if the workflow does not exist or does not answer in time, and for 5 s after such a failure of any job. */
  read(jobId: string): Promise<JobProgress | undefined>;
}

export function createProgressReader(temporal: Client): ProgressReader {
  const recent = new LRUCache<string, Promise<JobProgress | undefined>>({
    max: maxSharedJobs,
    ttl: sharedMs,
  });
  let pausedUntil = 0;

  const query = async (jobId: string): Promise<JobProgress | undefined> => {
    const handle = temporal.workflow.getHandle(workflowIds.renderJob(jobId));
    try {
      return await answerWithin(temporal, queryDeadlineMs, () =>
        handle.query<JobProgress>(renderJobQuery),
      );
    } catch {
      pausedUntil = Date.now() + pauseAfterFailureMs;
      return undefined;
    }
  };

  return {
    async read(jobId) {
      const shared = recent.get(jobId);
      if (shared) return shared;
      if (Date.now() < pausedUntil) return undefined;
      const answer = query(jobId);
      recent.set(jobId, answer);
      return answer;
    },
  };
}
