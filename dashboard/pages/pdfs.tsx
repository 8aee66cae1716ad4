import { Stack } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { pdfFilter } from '../../contracts/admin/pdfs.ts';
import { admin } from '../admin.ts';
import { DocumentSelect } from '../components/documents/document-select.tsx';
import { useDocuments } from '../components/documents/use-documents.ts';
import { byCursor, DataTable, rowsOfPages } from '../components/ui/data-table.tsx';
import { EmptyState, NoMatch } from '../components/ui/empty-state.tsx';
import { BusinessKeyInput, Filters, TimeInput, useFilter } from '../components/ui/filters.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { RelativeTime, TruncatedLink } from '../components/ui/text.tsx';
import { formatBytes, formatNumber } from '../formats.ts';
import { useWorkspace } from '../session.tsx';
import { curlCommand } from '../shell-commands.ts';

/** The managed PDFs of the workspace. */
export default function Pdfs() {
  const { id: workspaceId } = useWorkspace();
  const { filter, change, clear, isUnfiltered } = useFilter(pdfFilter);
  const documents = useDocuments();
  const list = useInfiniteQuery(
    admin.pdfs.list.infiniteQueryOptions(
      { workspaceId, ...filter },
      { ...byCursor, placeholderData: keepPreviousData },
    ),
  );
  return (
    <>
      <PageHeader title="PDFs" />
      <Stack gap="md">
        <Filters label="Filter PDFs" isUnfiltered={isUnfiltered} onClear={clear}>
          <DocumentSelect value={filter.deployId} onChange={(deployId) => change({ deployId })} />
          <BusinessKeyInput
            value={filter.businessKey}
            onChange={(businessKey) => change({ businessKey })}
          />
          <TimeInput
            label="Created after"
            at={filter.createdAfter}
            onChange={(createdAfter) => change({ createdAfter })}
          />
          <TimeInput
            label="Created before"
            at={filter.createdBefore}
            onChange={(createdBefore) => change({ createdBefore })}
          />
        </Filters>
        <DataTable
          caption="PDFs"
          columns={[
            {
              header: 'File',
              cell: ({ id, fileName }) => (
                <TruncatedLink to={`/${workspaceId}/pdfs/${id}`} text={fileName} />
              ),
            },
            { header: 'Document', wideOnly: true, cell: documents.nameOf },
            {
              header: 'Pages',
              align: 'end',
              wideOnly: true,
              cell: ({ pageCount }) => pageCount !== undefined && formatNumber(pageCount),
            },
            { header: 'Size', align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
            {
              header: 'Created',
              align: 'end',
              cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
            },
          ]}
          rowKey={({ id }) => id}
          empty={
            isUnfiltered ? (
              <NoPdfs deployId={documents.items[0]?.id} />
            ) : (
              <NoMatch one="PDF" many="PDFs" onClear={clear} />
            )
          }
          {...rowsOfPages(list)}
        />
      </Stack>
    </>
  );
}

const NoPdfs = ({ deployId = '<deploy id>' }: { deployId: string | undefined }) => (
  <EmptyState
    title="No managed PDFs yet"
    command={curlCommand('POST', '/render-jobs', {
      deployId,
      outputMode: 'managed',
      payload: { number: 'INV-1042' },
    })}
  >
    A job whose output mode is managed keeps its PDF until it is deleted. With an API key in
    DRS_API_KEY, this command creates one.
  </EmptyState>
);
