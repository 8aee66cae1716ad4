import { Button, Group, SimpleGrid, Skeleton, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { blankPlan } from '../../contracts/plans.ts';
import { admin, queryClient } from '../admin.ts';
import { PlanCard } from '../components/plan/plan-card.tsx';
import { Copyable } from '../components/ui/copy.tsx';
import { checkEmail, checkWorkspaceName } from '../components/ui/form-rules.ts';
import { ErrorNotice } from '../components/ui/notice.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { Panel } from '../components/ui/panel.tsx';
import { useAccount, useWorkspace } from '../session.tsx';

/** What the workspace may use, and what else there is. */
export default function PlanPage() {
  const { plan } = useWorkspace();
  const { operator } = useAccount();
  const { data, error, refetch } = useQuery(admin.plans.list.queryOptions());
  return (
    <>
      <PageHeader
        title="Plan"
        description={`${operator ? 'A change counts at once' : 'Operators of the service change it, at once'}; what was used in this bill period stays used.`}
      />
      <Stack gap="lg">
        {error && <ErrorNotice error={error} retry={refetch} />}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
          {data?.items.map((item) => <PlanCard key={item.id} plan={item} />) ??
            ['a', 'b', 'c'].map((key) => <Skeleton key={key} h={480} />)}
        </SimpleGrid>
        {plan !== blankPlan && <BillingEmail />}
        <RenameWorkspace />
      </Stack>
    </>
  );
}

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

/** What people call the workspace, and what programs do. */
export function RenameWorkspace() {
  const { id: workspaceId, name } = useWorkspace();
  const form = useForm({ initialValues: { name }, validate: { name: checkWorkspaceName } });
  const rename = useMutation(
    admin.workspaces.rename.mutationOptions({
      onSuccess: async (workspace) => {
        notifications.show({ message: `The workspace is called ${workspace.name}.` });
        await queryClient.invalidateQueries({ queryKey: admin.workspaces.pathKey() });
      },
    }),
  );
  return (
    <Panel title="Workspace" actions={<Copyable value={workspaceId} label="id of the workspace" />}>
      <form
        onSubmit={form.onSubmit((given) => rename.mutate({ workspaceId, ...given }))}
        noValidate
      >
        {rename.error && <ErrorNotice error={rename.error} />}
        <Group align="flex-end" gap="xs">
          <TextInput label="Name" miw={260} {...form.getInputProps('name')} />
          <Button type="submit" variant="default" loading={rename.isPending}>
            Save the name
          </Button>
        </Group>
      </form>
    </Panel>
  );
}
