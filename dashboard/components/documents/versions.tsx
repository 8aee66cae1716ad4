import { Anchor, Group } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { maxListLimit } from '../../../contracts/limits.ts';
import type { Alias } from '../../../contracts/rest/schemas/aliases.ts';
import type { DeployVersion } from '../../../contracts/rest/schemas/upload-sessions.ts';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import { firstVersionCommands } from '../../shell-commands.ts';
import { byCursor, DataTable, rowsOfPages } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RelativeTime } from '../ui/text.tsx';

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

/** The newest hundred versions of a document. */
export function useNewestVersions(deployId: string): readonly DeployVersion[] {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(
    admin.versions.list.queryOptions({ workspaceId, deployId, limit: maxListLimit }),
  );
  return data?.items ?? [];
}

/** How a version is called; by its id where it is none of the newest. */
export function useVersionNames(deployId: string): (deployVersionId: string) => string {
  const versions = useNewestVersions(deployId);
  return (wanted) => versions.find(({ id }) => id === wanted)?.displayId ?? wanted;
}
