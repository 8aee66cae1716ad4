import { Anchor, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Alias } from '../../../contracts/rest/schemas/aliases.ts';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { DataTable } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { byCursor, rowsOfPages } from '../table-rows.ts';
import { firstVersionCommands } from './first-version-commands.ts';

interface VersionsProps {
  readonly deployId: string;
  readonly aliases: readonly Alias[];
}

/** Everything that was committed for a document, newest first. */
export function Versions({ deployId, aliases }: VersionsProps) {
  const { id: workspaceId } = useWorkspace();
  const list = useInfiniteQuery(
    admin.versions.list.infiniteQueryOptions({ workspaceId, deployId }, byCursor),
  );
  return (
    <DataTable
      caption="Versions"
      columns={[
        {
          header: 'Version',
          cell: ({ id, displayId }) => (
            <Anchor
              component={Link}
              to={`/${workspaceId}/documents/${deployId}/versions/${id}`}
              inherit
            >
              {displayId}
            </Anchor>
          ),
        },
        { header: 'Title', wideOnly: true, cell: ({ title }) => title },
        { header: 'Route', wideOnly: true, cell: ({ route }) => <code>{route}</code> },
        {
          header: 'Aliases',
          cell: ({ id }) => (
            <Group gap={8}>
              {aliases
                .filter(({ deployVersionId }) => deployVersionId === id)
                .map(({ alias }) => (
                  <code key={alias}>{alias}</code>
                ))}
            </Group>
          ),
        },
        {
          header: 'Committed',
          align: 'end',
          cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
      ]}
      rowKey={({ id }) => id}
      empty={
        <EmptyState title="No version yet" command={firstVersionCommands(deployId)}>
          Files are announced, uploaded and committed as a version, which never changes. With an API
          key in DRS_API_KEY, this commits a page that greets whomever its payload names.
        </EmptyState>
      }
      {...rowsOfPages(list)}
    />
  );
}
