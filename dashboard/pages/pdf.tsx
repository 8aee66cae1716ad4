import { Anchor, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import type { ManagedPdf } from '../../contracts/rest/schemas/pdfs.ts';
import { admin, isInaccessible, queryClient } from '../admin.ts';
import { useDocuments } from '../components/documents/use-documents.ts';
import { DownloadButton, PdfPreview } from '../components/pdfs/pdf-preview.tsx';
import { PermanentLinks } from '../components/pdfs/permanent-links.tsx';
import { ConfirmButton } from '../components/ui/buttons.tsx';
import { Copyable } from '../components/ui/copy.tsx';
import { Facts } from '../components/ui/facts.tsx';
import { ErrorNotice } from '../components/ui/notice.tsx';
import { PageHeader, PageSkeleton } from '../components/ui/page.tsx';
import { Panel } from '../components/ui/panel.tsx';
import { RelativeTime, TruncatedLink } from '../components/ui/text.tsx';
import { formatBytes, formatNumber } from '../formats.ts';
import { useWorkspace } from '../session.tsx';
import classes from './result-beside.module.css';

/** One managed PDF with its preview and its permanent links. */
export default function PdfPage() {
  const { id: workspaceId } = useWorkspace();
  const { pdfId = '' } = useParams();
  const { data, error, refetch } = useQuery(admin.pdfs.get.queryOptions({ workspaceId, pdfId }));
  const back = { to: `/${workspaceId}/pdfs`, title: 'PDFs' };
  if (error && (!data || isInaccessible(error)))
    return (
      <>
        <PageHeader title="PDF" back={back} />
        <ErrorNotice error={error} retry={refetch} />
      </>
    );
  if (!data) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={data.fileName}
        back={back}
        actions={
          <>
            <DownloadButton source={{ pdfId }} />
            <DeletePdf pdf={data} />
          </>
        }
      />
      <div className={classes.page}>
        <Stack gap="lg">
          {error && <ErrorNotice error={error} retry={refetch} />}
          <PdfFacts pdf={data} />
          <PermanentLinks pdfId={pdfId} />
        </Stack>
        <div className={classes.result}>
          <PdfPreview source={{ pdfId }} title={data.fileName} />
        </div>
      </div>
    </>
  );
}

function PdfFacts({ pdf }: { pdf: ManagedPdf }) {
  const { id: workspaceId } = useWorkspace();
  const { nameOf } = useDocuments();
  return (
    <Panel title="PDF">
      <Facts
        facts={[
          {
            label: 'Document',
            value: (
              <Anchor component={Link} to={`/${workspaceId}/documents/${pdf.deployId}`} inherit>
                {nameOf(pdf) ?? pdf.deployId}
              </Anchor>
            ),
          },
          {
            label: 'Job',
            value: (
              <TruncatedLink
                to={`/${workspaceId}/jobs/${pdf.renderJobId}`}
                text={pdf.businessKey}
              />
            ),
          },
          { label: 'Pages', value: pdf.pageCount && formatNumber(pdf.pageCount) },
          { label: 'Size', value: formatBytes(pdf.bytes) },
          { label: 'Created', value: <RelativeTime at={pdf.createdAt} /> },
          { label: 'SHA-256', value: <Copyable value={pdf.sha256} label="the SHA-256" /> },
          { label: 'ID', value: <Copyable value={pdf.id} label="the PDF's id" /> },
        ]}
      />
    </Panel>
  );
}

function DeletePdf({ pdf: { id: pdfId, fileName } }: { pdf: ManagedPdf }) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const remove = useMutation(
    admin.pdfs.delete.mutationOptions({
      onSuccess: async () => {
        await navigate(`/${workspaceId}/pdfs`);
        queryClient.removeQueries({ queryKey: admin.pdfs.get.queryKey({ workspaceId, pdfId }) });
        await queryClient.invalidateQueries({ queryKey: admin.pdfs.list.pathKey() });
        await queryClient.invalidateQueries({ queryKey: admin.jobs.get.pathKey() });
      },
    }),
  );
  return (
    <ConfirmButton
      label="Delete PDF"
      title={`Delete ${fileName}?`}
      mutation={remove}
      variables={{ workspaceId, pdfId }}
    >
      This deletes it for good, with its permanent links and the output of its job.
    </ConfirmButton>
  );
}
