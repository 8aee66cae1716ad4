import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { AuditEntry } from '../../../contracts/schemas/people.ts';
import { type Column, DataTable, type TableRows } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { RelativeTime } from '../relative-time.tsx';

/** Who acts without being a person. */
const toolLabels: Readonly<Record<string, string>> = { 'admin-token': 'Admin token' };

/** Newest first. `details` are a few short values: which ones is the action's matter. */
export function AuditEntries({
  showsWorkspace = false,
  ...rows
}: TableRows<AuditEntry> & { showsWorkspace?: boolean }) {
  const workspace: Column<AuditEntry> = {
    header: 'Workspace',
    wideOnly: true,
    cell: ({ workspaceId }) =>
      workspaceId ? (
        <Anchor component={Link} to={`/${workspaceId}`} size="sm">
          <code>{workspaceId}</code>
        </Anchor>
      ) : (
        '–'
      ),
  };
  return (
    <DataTable
      caption="Audit log"
      {...rows}
      rowKey={({ id }) => id}
      columns={[
        { header: 'When', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        { header: 'Who', cell: ({ actor, actorName }) => actorName ?? toolLabels[actor] ?? actor },
        { header: 'What', cell: ({ action }) => <code>{action}</code> },
        ...(showsWorkspace ? [workspace] : []),
        {
          header: 'Of what',
          wideOnly: true,
          cell: ({ target, details }) => (
            <>
              <code>{target}</code>
              <Text size="xs" c="dimmed">
                {Object.entries(details ?? {})
                  .map(([key, value]) => `${key}: ${String(value)}`)
                  .join(', ')}
              </Text>
            </>
          ),
        },
      ]}
      empty={<EmptyState title="Nothing was changed yet" />}
    />
  );
}
