import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { checkEmail } from '../form-rules.ts';
import { Panel } from '../panel.tsx';

/** Where the bill goes. */
export function BillingEmail() {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(admin.billing.get.queryOptions({ workspaceId }));
  if (error) return <ErrorNotice error={error} retry={refetch} />;
  if (!data) return null;
  return (
    <Panel title="Billing" description="Where the bill goes.">
      <BillingEmailForm key={data.billingEmail} billingEmail={data.billingEmail ?? ''} />
    </Panel>
  );
}

function BillingEmailForm({ billingEmail }: { billingEmail: string }) {
  const { id: workspaceId } = useWorkspace();
  const form = useForm({ initialValues: { billingEmail }, validate: { billingEmail: checkEmail } });
  const save = useMutation(
    admin.billing.setEmail.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: 'The address for bills is saved.' });
        await queryClient.invalidateQueries({ queryKey: admin.billing.get.pathKey() });
      },
    }),
  );
  return (
    <form onSubmit={form.onSubmit((given) => save.mutate({ workspaceId, ...given }))} noValidate>
      {save.error && <ErrorNotice error={save.error} />}
      <Group align="flex-end" gap="xs">
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="email"
          miw={260}
          {...form.getInputProps('billingEmail')}
        />
        <Button type="submit" variant="default" loading={save.isPending}>
          Save the address
        </Button>
      </Group>
    </form>
  );
}
