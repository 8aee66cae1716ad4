import { Skeleton, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UsageReport } from '../../../contracts/rest/schemas/usage.ts';
import { admin } from '../../admin.ts';
import { formatBytes } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { Panel } from '../panel.tsx';

const parts = [
  ['deployVersionStorageBytes', 'Versions', 'The files of each version'],
  ['managedPdfStorageBytes', 'Managed PDFs', 'Kept until they are deleted'],
  ['renderOutputStorageBytes', 'Transient outputs', 'Deleted when their time is over'],
] as const satisfies readonly (readonly [keyof UsageReport['liveStorage'], string, string])[];

/** What the storage is full of. */
export function StorageParts() {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(admin.usage.get.queryOptions({ workspaceId }));
  return (
    <Panel title="Storage now">
      <Table>
        <Table.Tbody>
          {parts.map(([key, title, explanation]) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{title}</Table.Th>
              <Table.Td visibleFrom="sm" c="dimmed">
                {explanation}
              </Table.Td>
              <Table.Td ta="end">
                {data ? formatBytes(data.liveStorage[key]) : <Skeleton h={12} my={5} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
