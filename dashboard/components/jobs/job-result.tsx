import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RenderJobOutput } from '../../../contracts/rest/schemas/outputs.ts';
import type { Receipt } from '../../../contracts/rest/schemas/receipts.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatBytes, formatNumber } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { DownloadButton, PdfPreview } from '../pdfs/pdf-preview.tsx';
import { ConfirmButton } from '../ui/buttons.tsx';
import { Copyable, CopyButton } from '../ui/copy.tsx';
import { type Fact, Facts } from '../ui/facts.tsx';
import { Panel } from '../ui/panel.tsx';
import { RelativeTime } from '../ui/text.tsx';
import { isOpen, type JobDetails } from './job-query.ts';

const deletedTexts = {
  manual: 'The output was deleted',
  retention: 'The output was deleted at the end of its retention period',
} as const satisfies Record<NonNullable<RenderJobOutput['deleteReason']>, string>;

/** The PDF of a job, with its preview, download and deletion. */
export function JobPdf({ details: { job, output, pdf } }: { details: JobDetails }) {
  const { id: workspaceId } = useWorkspace();
  const jobId = job.id;
  if (!output)
    return (
      <Panel title="PDF">
        <Text size="sm" c="dimmed">
          {isOpen(job) ? 'The PDF will appear here when it is ready.' : 'This job has no PDF.'}
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
            {deletedTexts[deleteReason ?? 'manual']}{' '}
            {deletedAt !== undefined && <RelativeTime at={deletedAt} />}
          </Text>
        )}
        {state === 'available' && !pdf && deleteAfter !== undefined && (
          <Text size="sm" c="dimmed">
            This transient output is deleted <RelativeTime at={deleteAfter} />.
          </Text>
        )}
        {pdf?.state === 'available' && (
          <Text size="sm">
            Managed PDF:{' '}
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
        ? 'This deletes only the output of this job, for good. The managed PDF stays.'
        : 'This deletes the PDF for good. The job can be rendered again with the same payload.'}
    </ConfirmButton>
  );
}

const hashFact = (label: string, value: string | undefined): Fact => ({
  label,
  value: value && <Copyable value={value} label={label} />,
});

/** The receipt of a job: the hashes and versions that prove how the PDF was made. */
export const JobReceipt = ({ receipt }: { receipt: Receipt }) => (
  <Panel
    title="Receipt"
    description="Proof of how this PDF was made."
    actions={
      <CopyButton value={JSON.stringify(receipt, null, 2)} label="Copy the receipt as JSON" />
    }
  >
    <Facts
      facts={[
        hashFact('SHA-256 of the PDF', receipt.outputSha256),
        hashFact('SHA-256 of the payload', receipt.payloadHash),
        hashFact('Tree hash of the version', receipt.treeHash),
        { label: 'Address', value: receipt.targetUrl },
        hashFact('Hash of the fonts', receipt.fontSetHash),
        { label: 'Chromium', value: receipt.chromiumVersion },
        { label: 'Renderer', value: receipt.renderer },
      ]}
    />
  </Panel>
);
