import { Anchor, Button, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { blankPlan } from '../../contracts/plans.ts';
import { admin, queryClient } from '../admin.ts';
import { roleLabel } from '../components/people/roles.ts';
import { usePlanName } from '../components/plan/plans.ts';
import { FormActions } from '../components/ui/buttons.tsx';
import { byCursor, DataTable, rowsOfPages } from '../components/ui/data-table.tsx';
import { EmptyState } from '../components/ui/empty-state.tsx';
import { checkWorkspaceName } from '../components/ui/form-rules.ts';
import { ErrorNotice } from '../components/ui/notice.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { RelativeTime } from '../components/ui/text.tsx';
import { formatMoney } from '../formats.ts';
import { useAccount } from '../session.tsx';

/** The workspaces of the user. Operators see all workspaces of the service. */
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
          { header: 'ID', wideOnly: true, cell: ({ id }) => <code>{id}</code> },
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

interface CreateWorkspaceProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates a workspace and opens it. The user becomes its owner. Only operators can choose another plan than `blank`. */
function CreateWorkspace({ opened, onClose }: CreateWorkspaceProps) {
  const navigate = useNavigate();
  const { operator } = useAccount();
  const { data: plans } = useQuery(admin.plans.list.queryOptions());
  const form = useForm({
    initialValues: { name: '', plan: blankPlan },
    validate: { name: checkWorkspaceName },
  });
  const create = useMutation(
    admin.workspaces.create.mutationOptions({
      onSuccess: async ({ id }) => {
        await queryClient.invalidateQueries({ queryKey: admin.workspaces.list.pathKey() });
        await navigate(`/${id}`);
      },
    }),
  );
  const choices = plans?.items.map(({ id, name, monthlyPriceCents, currency }) => ({
    value: id,
    label: `${name}, ${formatMoney(monthlyPriceCents, currency)} a month`,
  }));
  return (
    <Modal opened={opened} onClose={onClose} title="Create a workspace">
      <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
        <Stack>
          {create.error && <ErrorNotice error={create.error} />}
          <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
          {operator && (
            <NativeSelect label="Plan" data={choices ?? []} {...form.getInputProps('plan')} />
          )}
          <FormActions submitLabel="Create" isPending={create.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
