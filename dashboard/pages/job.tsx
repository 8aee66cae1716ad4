import { Anchor, Button, Stack, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { isCancelable } from '../../contracts/states.ts';
import { admin, isInaccessible, queryClient } from '../admin.ts';
import { useDocuments } from '../components/documents/use-documents.ts';
import { AttemptTimeline } from '../components/jobs/attempt-timeline.tsx';
import { JobLog } from '../components/jobs/job-log.tsx';
import { isOpen, type JobDetails, jobQuery, turnaroundOf } from '../components/jobs/job-query.ts';
import { JobPdf, JobReceipt } from '../components/jobs/job-result.tsx';
import {
  JobFailure,
  JobWait,
  JobWarnings,
  outputModeLabels,
  StatusBadge,
  statusLabel,
} from '../components/jobs/job-state.tsx';
import { RerunDialog } from '../components/jobs/rerun-dialog.tsx';
import { PermanentLinks } from '../components/pdfs/permanent-links.tsx';

import { onFirstClick } from '../components/ui/buttons.tsx';
import { Copyable } from '../components/ui/copy.tsx';
import { Facts } from '../components/ui/facts.tsx';
import { ErrorNotice, notifyFailure } from '../components/ui/notice.tsx';
import { PageHeader, PageSkeleton } from '../components/ui/page.tsx';
import { Panel } from '../components/ui/panel.tsx';
import { RelativeTime } from '../components/ui/text.tsx';
import { formatDuration } from '../formats.ts';
import { useWorkspace } from '../session.tsx';
import classes from './result-beside.module.css';

/** One job, refetched until it has ended. */
export default function JobPage() {
  const { id: workspaceId } = useWorkspace();
  const { jobId = '' } = useParams();
  const { data, error, refetch } = useQuery(jobQuery(workspaceId, jobId));
  const back = { to: `/${workspaceId}/jobs`, title: 'Jobs' };
  if (error && (!data || isInaccessible(error)))
    return (
      <>
        <PageHeader title="Job" back={back} />
        <ErrorNotice error={error} retry={refetch} />
      </>
    );
  if (!data) return <PageSkeleton />;
  const { job, pdf, receipt, logs = [] } = data;
  return (
    <>
      <PageHeader
        title={job.businessKey}
        back={back}
        badge={<StatusBadge status={job.status} />}
        actions={<JobActions details={data} />}
      />
      <VisuallyHidden role="status">{`The job is now: ${statusLabel(job.status)}`}</VisuallyHidden>
      <div className={classes.page}>
        <Stack gap="lg">
          {error && <ErrorNotice error={error} retry={refetch} />}
          <JobFailure job={job} />
          <JobWait progress={data.progress} />
          <JobWarnings {...data} />
          <JobFacts details={data} />
          <Panel title="Timeline">
            <AttemptTimeline details={data} />
          </Panel>
          <Panel title="Log">
            <JobLog entries={logs} requestedAt={job.requestedAt} />
          </Panel>
          {receipt && <JobReceipt receipt={receipt} />}
        </Stack>
        <Stack gap="lg" className={classes.result ?? ''}>
          <JobPdf details={data} />
          {pdf?.state === 'available' && <PermanentLinks pdfId={pdf.id} />}
        </Stack>
      </div>
    </>
  );
}

function JobActions({ details: { job, workflow } }: { details: JobDetails }) {
  const { id: workspaceId } = useWorkspace();
  const [rerunOpen, rerun] = useDisclosure();
  const cancel = useMutation(
    admin.jobs.cancel.mutationOptions({
      onSuccess: async (details) => {
        const jobId = details.job.id;
        queryClient.setQueryData(admin.jobs.get.queryKey({ workspaceId, jobId }), details);
        await queryClient.invalidateQueries({ queryKey: admin.jobs.search.pathKey() });
        await queryClient.invalidateQueries({ queryKey: admin.jobs.counts.pathKey() });
      },
      onError: notifyFailure,
    }),
  );
  return (
    <>
      {workflow.url && (
        <Button
          component="a"
          href={workflow.url}
          target="_blank"
          rel="noreferrer"
          variant="default"
          rightSection={<IconExternalLink size={16} />}
        >
          Open in Temporal
        </Button>
      )}
      {isCancelable(job.status) && (
        <Button
          variant="default"
          loading={cancel.isPending}
          onClick={onFirstClick(() => cancel.mutate({ workspaceId, jobId: job.id }))}
        >
          Cancel job
        </Button>
      )}
      {!isOpen(job) && <Button onClick={rerun.open}>Render again</Button>}
      {rerunOpen && <RerunDialog jobs={[job]} onClose={rerun.close} />}
    </>
  );
}

function JobFacts({ details: { job, attemptUsage } }: { details: JobDetails }) {
  const { id: workspaceId } = useWorkspace();
  const { nameOf } = useDocuments();
  const documentPath = `/${workspaceId}/documents/${job.deployId}`;
  const tookMs = turnaroundOf(job);
  return (
    <Panel title="Job">
      <Facts
        facts={[
          {
            label: 'Document',
            value: (
              <Anchor component={Link} to={documentPath} inherit>
                {nameOf(job) ?? job.deployVersionTitle ?? job.deployId}
              </Anchor>
            ),
          },
          {
            label: 'Version',
            value: job.deployVersionNo && (
              <Anchor
                component={Link}
                to={`${documentPath}/versions/${job.deployVersionId}`}
                inherit
              >
                v{job.deployVersionNo}
              </Anchor>
            ),
          },
          { label: 'Requested', value: <RelativeTime at={job.requestedAt} /> },
          { label: 'Started', value: job.startedAt && <RelativeTime at={job.startedAt} /> },
          { label: 'Ended', value: job.finishedAt && <RelativeTime at={job.finishedAt} /> },
          { label: 'Took', value: tookMs && formatDuration(tookMs) },
          {
            label: 'Charged',
            value: attemptUsage && formatDuration(attemptUsage.billableRenderMs),
          },
          { label: 'Output', value: outputModeLabels[job.outputMode] },
          { label: 'ID', value: <Copyable value={job.id} label="the job's id" /> },
        ]}
      />
    </Panel>
  );
}
