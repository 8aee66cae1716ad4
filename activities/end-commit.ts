import { type ErrorCode, errors } from '../contracts/errors.ts';
import { reopenSession } from '../store/deploys/commits.ts';
import { publishVersion } from '../store/deploys/publish-version.ts';
import type { RenderPackage } from '../store/deploys/render-packs.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** A commit ends in one of two ways: its version is published, or its upload session is open again. */
export const createEndCommit = ({
  store: { sql },
  plans,
}: Pick<ActivityDependencies, 'store' | 'plans'>) => ({
  /** Publishes the version in one transaction and returns its id. */
  publishVersion: (input: {
    uploadSessionId: string;
    commitNo?: number | undefined;
    renderPackage: RenderPackage;
  }): Promise<string> =>
    publishVersion(sql, plans, {
      uploadSessionId: input.uploadSessionId,
      commitNo: input.commitNo,
      renderPackage: input.renderPackage,
      now: Date.now(),
    }),

  /** Opens the session again. The request that waits for the commit is answered with this error code. */
  reopenSession: ({
    uploadSessionId,
    commitNo,
    code,
  }: {
    uploadSessionId: string;
    commitNo?: number | undefined;
    code: ErrorCode;
  }): Promise<void> =>
    reopenSession(sql, {
      uploadSessionId,
      commitNo,
      error: { code, message: errors[code].message },
      now: Date.now(),
    }),
});
