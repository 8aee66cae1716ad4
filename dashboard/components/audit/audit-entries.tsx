import { Anchor, Box, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { AuditEntry } from '../../../contracts/admin/audit-log.ts';
import { type Column, DataTable, type TableRows } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RelativeTime } from '../ui/text.tsx';

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
        {
          header: 'What',
          cell: (entry) => (
            <>
              <code>{entry.action}</code>
              {/* On a phone there is no column of its own for it, and no page of the row. */}
              <Box hiddenFrom="sm">
                <Target {...entry} />
              </Box>
            </>
          ),
        },
        ...(showsWorkspace ? [workspace] : []),
        {
          header: 'Of what',
          wideOnly: true,
          cell: (entry) => <Target {...entry} />,
        },
      ]}
      empty={<EmptyState title="Nothing was changed yet" />}
    />
  );
}

/** Of what, with the action's few short values. */
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
