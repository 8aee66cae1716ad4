import type { RenderJob } from '../../../contracts/rest/schemas/render-jobs.ts';
import { formatDuration } from '../../formats.ts';
import type { Column } from '../data-table.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { StatusBadge } from '../status-badge.tsx';
import classes from './job-columns.module.css';
import { JobLink } from './job-link.tsx';
import { turnaroundOf } from './job-query.ts';

/** What a list says of each job. */
export const jobColumns = (
  documentName: (job: RenderJob) => string | undefined,
): readonly Column<RenderJob>[] => [
  {
    header: 'State',
    // As wide as the longest state, so that a change moves nothing.
    cell: ({ status }) => (
      <div className={classes.state}>
        <StatusBadge status={status} />
      </div>
    ),
  },
  { header: 'Business key', cell: (job) => <JobLink {...job} /> },
  {
    header: 'Document',
    wideOnly: true,
    cell: (job) => (
      <span className={classes.document}>
        {documentName(job) ?? job.deployVersionTitle}
        {job.deployVersionNo !== undefined && ` v${job.deployVersionNo}`}
      </span>
    ),
  },
  {
    header: 'Error',
    wideOnly: true,
    cell: ({ errorCode }) => errorCode && <code>{errorCode}</code>,
  },
  {
    header: 'Took',
    align: 'end',
    wideOnly: true,
    cell: (job) => {
      const tookMs = turnaroundOf(job);
      return tookMs === undefined ? '' : formatDuration(tookMs);
    },
  },
  {
    header: 'Requested',
    align: 'end',
    cell: ({ requestedAt }) => <RelativeTime at={requestedAt} />,
  },
];
