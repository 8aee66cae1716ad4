import { Anchor, Box, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { AuditEntry } from '../../../contracts/admin/audit-log.ts';
import { type Column, DataTable, type TableRows } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RelativeTime } from '../ui/text.tsx';

/** Names of actors that are not people. */
const toolLabels: Readonly<Record<string, string>> = { 'admin-token': 'Admin token' };

/** The entries of an audit log, newest first. */
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
        {
          header: 'Action',
          cell: (entry) => (
            <>
              <code>{entry.action}</code>
              {/* A phone has no column for the target, and an entry has no page of its own. */}
              <Box hiddenFrom="sm">
                <Target {...entry} />
              </Box>
            </>
          ),
        },
        ...(showsWorkspace ? [workspace] : []),
        {
          header: 'Target',
          wideOnly: true,
          cell: (entry) => <Target {...entry} />,
        },
      ]}
      empty={<EmptyState title="No changes yet" />}
    />
  );
}

/** The target of the change, and the details of the action: a few short values. */
const Target = ({ target, details }: AuditEntry) => (
  <>
    <code>{target}</code>
    <Text size="xs" c="dimmed" data-breaks>
      {Object.entries(details ?? {})
        .map(([key, value]) => `${key}: ${String(value)}`)
        .join(', ')}
    </Text>
  </>
);
