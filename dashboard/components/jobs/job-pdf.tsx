import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin, queryClient } from '../../admin.ts';
import { formatBytes, formatNumber } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Panel } from '../panel.tsx';
import { DownloadButton } from '../pdfs/download-button.tsx';
import { PdfPreview } from '../pdfs/pdf-preview.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { isOpen, type JobDetails } from './job-query.ts';

/** The PDF of a job: to see, to keep, to delete. */
export function JobPdf({ details: { job, output, pdf } }: { details: JobDetails }) {
  const { id: workspaceId } = useWorkspace();
  const jobId = job.id;
  if (!output)
    return (
      <Panel title="PDF">
        <Text size="sm" c="dimmed">
          {isOpen(job) ? 'It will be here as soon as it is printed.' : 'This job made none.'}
        </Text>
      </Panel>
    );
  const { bytes, pageCount, state, deletedAt, deleteReason, deleteAfter } = output;
  const size = [
    pageCount !== undefined && `${formatNumber(pageCount)} ${pageCount === 1 ? 'page' : 'pages'}`,
    formatBytes(bytes),
  ].filter(Boolean);
  return (
    <Panel
      title="PDF"
      description={size.join(', ')}
      actions={
        state === 'available' && (
          <Group gap="xs">
            <DownloadButton source={{ jobId }} />
            <DeleteOutput jobId={jobId} isManaged={pdf?.state === 'available'} />
          </Group>
        )
      }
    >
      <Stack gap="sm">
        {state === 'available' ? (
          <PdfPreview source={{ jobId }} title={`PDF of ${job.businessKey}`} />
        ) : (
          <Text size="sm">
            The output was deleted {deleteReason === 'retention' ? 'when its time was over' : ''}{' '}
            {deletedAt !== undefined && <RelativeTime at={deletedAt} />}
          </Text>
        )}
        {state === 'available' && !pdf && deleteAfter !== undefined && (
          <Text size="sm" c="dimmed">
            Transient: it is deleted <RelativeTime at={deleteAfter} />.
          </Text>
        )}
        {pdf?.state === 'available' && (
          <Text size="sm">
            Kept as{' '}
            <Anchor component={Link} to={`/${workspaceId}/pdfs/${pdf.id}`} inherit>
              {pdf.fileName}
            </Anchor>
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

function DeleteOutput({ jobId, isManaged }: { jobId: string; isManaged: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const remove = useMutation(
    admin.outputs.delete.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: admin.jobs.get.pathKey() }),
    }),
  );
  return (
    <ConfirmButton
      label="Delete output"
      title="Delete this output?"
      mutation={remove}
      variables={{ workspaceId, jobId }}
    >
      {isManaged
        ? 'The managed PDF stays; only the output of this job goes, for good.'
        : 'The PDF goes for good. The document can be rendered again with the same payload.'}
    </ConfirmButton>
  );
}
