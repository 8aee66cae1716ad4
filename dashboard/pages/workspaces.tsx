import { Anchor, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin } from '../admin.ts';
import { DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { roleLabel } from '../components/members/roles.ts';
import { PageHeader } from '../components/page-header.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { byCursor, rowsOfPages } from '../components/table-rows.ts';
import { CreateWorkspace } from '../components/workspaces/create-workspace.tsx';
import { useAccount } from '../layout/account.tsx';
import { usePlanName } from '../plan-name.ts';

/** One's own; for operators all of them. */
export default function Workspaces() {
  const { operator } = useAccount();
  const planName = usePlanName();
  const [creating, dialog] = useDisclosure();
  const workspaces = useInfiniteQuery(
    admin.workspaces.list.infiniteQueryOptions({ limit: 50 }, byCursor),
  );
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      Create a workspace
    </Button>
  );
  return (
    <>
      <PageHeader
        title={operator ? 'All workspaces' : 'Workspaces'}
        description="A workspace has its own documents, keys, members and plan."
        actions={create}
      />
      <DataTable
        caption="Workspaces"
        {...rowsOfPages(workspaces)}
        rowKey={({ id }) => id}
        columns={[
          {
            header: 'Name',
            cell: ({ id, name }) => (
              <Anchor component={Link} to={`/${id}`}>
                {name}
              </Anchor>
            ),
          },
          { header: 'Plan', wideOnly: true, cell: ({ plan }) => planName(plan) },
          { header: 'Your role', cell: ({ role }) => (role ? roleLabel[role] : '–') },
          {
            header: 'Created',
            wideOnly: true,
            cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
          },
          { header: 'Id', wideOnly: true, cell: ({ id }) => <code>{id}</code> },
        ]}
        empty={
          <EmptyState title="No workspace yet" action={create}>
            Create one, or open the link of an invitation.
          </EmptyState>
        }
      />
      <CreateWorkspace opened={creating} onClose={dialog.close} />
    </>
  );
}
