import { errors } from '../../../contracts/errors.ts';
import type { RenderJob } from '../../../contracts/rest/schemas/render-jobs.ts';
import { formatNumber } from '../../formats.ts';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/text.tsx';
import type { JobDetails } from './job-query.ts';

/** Why a job failed: what its code means, and what was seen. */
export function JobFailure({ job: { errorCode, errorMessage } }: { job: RenderJob }) {
  if (!errorCode) return null;
  const { message, retryable } = errors[errorCode];
  return (
    <Notice tone="bad" title={<code>{errorCode}</code>}>
      <p>{message}</p>
      {errorMessage && errorMessage !== message && <p>{errorMessage}</p>}
      {retryable && <p>Rendering it again may succeed as it is.</p>}
    </Notice>
  );
}

const waitingFor = {
  admission: 'Waits for a place: as many jobs of this workspace are under way as the plan allows.',
  browser: 'Waits for a browser.',
  retry: 'Waits to be tried again.',
} as const;

/** What a job that has not begun waits for, and for how long. */
export function JobWait({ progress }: { progress: JobDetails['progress'] }) {
  if (!progress?.waitingFor && !progress?.queuePosition) return null;
  const { queuePosition, retryAt } = progress;
  const { ahead, expectedStartAt } = queuePosition ?? {};
  return (
    <Notice tone="info">
      {progress.waitingFor && waitingFor[progress.waitingFor]}{' '}
      {ahead !== undefined &&
        (ahead === 0
          ? 'It is the next of this workspace. '
          : `${formatNumber(ahead)} ${ahead === 1 ? 'job is' : 'jobs are'} ahead of it. `)}
      {expectedStartAt !== undefined && (
        <>
          Expected to start <RelativeTime at={expectedStartAt} />.
        </>
      )}
      {retryAt !== undefined && (
        <>
          Next attempt <RelativeTime at={retryAt} />.
        </>
      )}
    </Notice>
  );
}

/** The page's own warnings: what the PDF may have lost, and what went wrong while it was made. */
export function JobWarnings({ logs = [], warningCount = 0 }: JobDetails) {
  if (warningCount === 0) return null;
  const lost = logs.filter(({ code }) => code === 'glyph_missing' || code === 'content_cut');
  return (
    <Notice
      tone="warning"
      title={`${formatNumber(warningCount)} ${warningCount === 1 ? 'warning' : 'warnings'}`}
    >
      {lost.map(({ message, createdAt }) => (
        <p key={`${createdAt} ${message}`}>{message}</p>
      ))}
      {lost.length < warningCount && <p>The log tells what the page complained of.</p>}
    </Notice>
  );
}
