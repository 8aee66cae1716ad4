import { Anchor, Group } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { maxListLimit } from '../../../contracts/limits.ts';
import type { Alias } from '../../../contracts/rest/schemas/aliases.ts';
import type { DeployVersion } from '../../../contracts/rest/schemas/versions.ts';
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

/** The versions of a document, newest first. */
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
          A version is a set of files that never changes after its commit. With an API key in
          DRS_API_KEY, these commands commit a page that prints the name in its payload.
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

/** Returns a function that names a version, such as `v3`. It returns the id if the version is not among the newest hundred. */
export function useVersionNames(deployId: string): (deployVersionId: string) => string {
  const versions = useNewestVersions(deployId);
  return (versionId) => versions.find(({ id }) => id === versionId)?.displayId ?? versionId;
}
