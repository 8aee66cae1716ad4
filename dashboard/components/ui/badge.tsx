import type { RenderJobStatus } from '../../../contracts/states.ts';
import classes from './badge.module.css';

const looks: Readonly<Record<RenderJobStatus, { label: string; tone: Tone }>> = {
  queued: { label: 'Queued', tone: 'waiting' },
  rendering: { label: 'Rendering', tone: 'active' },
  retry_scheduled: { label: 'Retry scheduled', tone: 'warning' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  canceled: { label: 'Canceled', tone: 'waiting' },
};

type Tone = 'waiting' | 'active' | 'warning' | 'good' | 'bad';

export const statusLabel = (status: RenderJobStatus): string => looks[status].label;

/** The state of a job: a colour for the eye, a word for everybody. */
export const StatusBadge = ({ status }: { status: RenderJobStatus }) => (
  <Badge tone={looks[status].tone}>{looks[status].label}</Badge>
);

/** A state of anything else. */
export const Badge = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={classes.badge} data-tone={tone}>
    {children}
  </span>
);
