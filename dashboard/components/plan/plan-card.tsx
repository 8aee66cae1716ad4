import { Badge, Group, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { admin, queryClient } from '../../admin.ts';
import { formatMoney } from '../../formats.ts';
import { useAccount, useWorkspace } from '../../session.tsx';
import { ConfirmButton } from '../ui/buttons.tsx';
import classes from './plan-card.module.css';
import { limitsOf, type PlanSummary } from './plans.ts';

/** A plan of the catalogue. Operators get a button that puts the workspace on it. */
export function PlanCard({ plan }: { plan: PlanSummary }) {
  const workspace = useWorkspace();
  const { operator } = useAccount();
  const titleId = useId();
  const isCurrent = plan.id === workspace.plan;
  const price = formatMoney(plan.monthlyPriceCents, plan.currency);
  return (
    <section
      className={classes.card}
      aria-labelledby={titleId}
      data-current={isCurrent || undefined}
    >
      <Group justify="space-between">
        <Title order={2} id={titleId}>
          {plan.name}
        </Title>
        {isCurrent && (
          <Badge variant="light" tt="none">
            Your plan
          </Badge>
        )}
      </Group>
      <Text>
        <span className={classes.price}>{price}</span>{' '}
        <Text span c="dimmed" size="sm">
          a month
        </Text>
      </Text>
      <dl className={classes.limits}>
        {limitsOf(plan).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {operator && !isCurrent && <ChangePlan plan={plan} price={price} />}
    </section>
  );
}

function ChangePlan({ plan, price }: { plan: PlanSummary; price: string }) {
  const { id: workspaceId, name } = useWorkspace();
  const change = useMutation(
    admin.workspaces.changePlan.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: `${name} is now on the plan ${plan.name}.` });
        await queryClient.invalidateQueries();
      },
    }),
  );
  return (
    <ConfirmButton
      label={`Change to ${plan.name}`}
      title={`Change to ${plan.name}?`}
      mutation={change}
      variables={{ workspaceId, plan: plan.id }}
      destructive={false}
    >
      <Text>
        {name} has the limits of {plan.name} from now on, for {price} a month. Nothing is deleted.
        If usage exceeds a limit of the plan, new work is refused.
      </Text>
    </ConfirmButton>
  );
}
