import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin } from '../admin.ts';
import { PageHeader } from '../components/ui/page.tsx';
import { Deliveries } from '../components/webhooks/deliveries.tsx';
import { Endpoints } from '../components/webhooks/endpoints.tsx';
import { useWorkspace } from '../session.tsx';

/** The webhook endpoints and their deliveries. */
export default function Webhooks() {
  const { id: workspaceId } = useWorkspace();
  const endpoints = useQuery(admin.webhooks.listEndpoints.queryOptions({ workspaceId }));
  return (
    <>
      <PageHeader title="Webhooks" />
      <Stack gap="lg">
        <Endpoints list={endpoints} />
        {endpoints.data && endpoints.data.items.length > 0 && (
          <Deliveries endpoints={endpoints.data.items} />
        )}
      </Stack>
    </>
  );
}
