import { errors } from '../../../contracts/errors.ts';
import type { OutputMode } from '../../../contracts/rest/schemas/outputs.ts';
import type { RenderJob } from '../../../contracts/rest/schemas/render-jobs.ts';
import type { RenderJobStatus } from '../../../contracts/states.ts';
import { formatNumber } from '../../formats.ts';
import { Badge, type StateLook } from '../ui/badge.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/text.tsx';
import type { JobDetails } from './job-query.ts';

/** Shows why a job failed: the meaning of its error code, and the message of the job. */
export function JobFailure({ job: { errorCode, errorMessage } }: { job: RenderJob }) {
  if (!errorCode) return null;
  const { message, retryable } = errors[errorCode];
  return (
    <Notice tone="bad" title={<code>{errorCode}</code>}>
      <p>{message}</p>
      {errorMessage && errorMessage !== message && <p>{errorMessage}</p>}
      {retryable && <p>Rendering it again without changes may succeed.</p>}
    </Notice>
  );
}

const statusLooks = {
  queued: { label: 'Queued', tone: 'neutral' },
  rendering: { label: 'Rendering', tone: 'active' },
  retry_scheduled: { label: 'Retry scheduled', tone: 'warning' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  canceled: { label: 'Canceled', tone: 'neutral' },
} as const satisfies Record<RenderJobStatus, StateLook>;

export const statusLabel = (status: RenderJobStatus): string => statusLooks[status].label;

export const StatusBadge = ({ status }: { status: RenderJobStatus }) => (
  <Badge tone={statusLooks[status].tone}>{statusLooks[status].label}</Badge>
);

export const outputModeLabels = {
  transient: 'Transient',
  managed: 'Managed',
} as const satisfies Record<OutputMode, string>;

type WaitReason = NonNullable<NonNullable<JobDetails['progress']>['waitingFor']>;

const waitTexts = {
  admission:
    'Waiting for a slot: this workspace already runs as many jobs at once as its plan allows.',
  browser: 'Waiting for a browser.',
  retry: 'Waiting for the next attempt.',
} as const satisfies Record<WaitReason, string>;

/** Shows why a job waits, and when it is expected to start. */
export function JobWait({ progress }: { progress: JobDetails['progress'] }) {
  if (!progress?.waitingFor && !progress?.queuePosition) return null;
  const { queuePosition, retryAt } = progress;
  const { ahead, expectedStartAt } = queuePosition ?? {};
  return (
    <Notice tone="neutral">
      {progress.waitingFor && waitTexts[progress.waitingFor]}{' '}
      {ahead !== undefined &&
        (ahead === 0
          ? 'It is next in this workspace. '
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

/** The warnings of a job. Shows those about content that the PDF lacks; the others are in the log. */
export function JobWarnings({ logs = [], warningCount = 0 }: JobDetails) {
  if (warningCount === 0) return null;
  const lostContent = logs.filter(({ code }) => code === 'glyph_missing' || code === 'content_cut');
  return (
    <Notice
      tone="warning"
      title={`${formatNumber(warningCount)} ${warningCount === 1 ? 'warning' : 'warnings'}`}
    >
      {lostContent.map(({ message, createdAt }) => (
        <p key={`${createdAt} ${message}`}>{message}</p>
      ))}
      {lostContent.length < warningCount && <p>The log shows the other warnings.</p>}
    </Notice>
  );
}
