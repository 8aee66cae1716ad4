import { Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { blankPlan } from '../../../contracts/plans.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatMoney } from '../../formats.ts';
import { useAccount } from '../../layout/account.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { FormActions } from '../form-actions.tsx';
import { checkWorkspaceName } from '../form-rules.ts';

interface CreateWorkspaceProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Whoever makes a workspace owns it, and gets to it at once. Other plans than `blank` are given by operators. */
export function CreateWorkspace({ opened, onClose }: CreateWorkspaceProps) {
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
      <form onSubmit={form.onSubmit((given) => create.mutate(given))} noValidate>
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
