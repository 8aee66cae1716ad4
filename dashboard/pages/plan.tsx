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

/** The plan of the workspace, the other plans, and the settings of the workspace. */
export default function PlanPage() {
  const { plan } = useWorkspace();
  const { operator } = useAccount();
  const { data, error, refetch } = useQuery(admin.plans.list.queryOptions());
  return (
    <>
      <PageHeader
        title="Plan"
        description={`${operator ? 'A change takes effect at once.' : 'Operators of the service can change it.'} Usage in this bill period is kept.`}
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

/** The e-mail address for bills. */
function BillingEmail() {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(admin.billing.get.queryOptions({ workspaceId }));
  if (error) return <ErrorNotice error={error} retry={refetch} />;
  if (!data) return null;
  return (
    <Panel title="Billing" description="Bills are sent to this address.">
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
        notifications.show({ message: 'The billing address is saved.' });
        await queryClient.invalidateQueries({ queryKey: admin.billing.get.pathKey() });
      },
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate({ workspaceId, ...values }))} noValidate>
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

/** A form that renames the workspace. Also shows its id. */
function RenameWorkspace() {
  const { id: workspaceId, name } = useWorkspace();
  const form = useForm({ initialValues: { name }, validate: { name: checkWorkspaceName } });
  const rename = useMutation(
    admin.workspaces.rename.mutationOptions({
      onSuccess: async (workspace) => {
        notifications.show({ message: `The workspace is now called ${workspace.name}.` });
        await queryClient.invalidateQueries({ queryKey: admin.workspaces.pathKey() });
      },
    }),
  );
  return (
    <Panel title="Workspace" actions={<Copyable value={workspaceId} label="id of the workspace" />}>
      <form
        onSubmit={form.onSubmit((values) => rename.mutate({ workspaceId, ...values }))}
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
