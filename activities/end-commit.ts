import { type ErrorCode, errors } from '../contracts/errors.ts';
import { reopenSession } from '../store/commits.ts';
import { publishVersion, type RenderPackage } from '../store/deploy-versions.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** The two ends of a commit: published, or its session open again. */
export const createEndCommit = ({
  store: { sql },
  plans,
}: Pick<ActivityDependencies, 'store' | 'plans'>) => ({
  /** Publishes the version in one transaction and returns its id. */
  publishVersion: (input: {
    uploadSessionId: string;
    renderPackage: RenderPackage;
  }): Promise<string> =>
    publishVersion(sql, plans, {
      sessionId: input.uploadSessionId,
      renderPackage: input.renderPackage,
      now: Date.now(),
    }),

  /** Opens the session again; the request that waits for the commit answers with this code. */
  reopenSession: ({
    uploadSessionId,
    code,
  }: {
    uploadSessionId: string;
    code: ErrorCode;
  }): Promise<void> =>
    reopenSession(sql, {
      sessionId: uploadSessionId,
      error: { code, message: errors[code].message },
    }),
});
