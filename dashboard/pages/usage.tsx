import { SimpleGrid, Stack } from '@mantine/core';
import { PageHeader } from '../components/ui/page.tsx';
import { JobsByDay, PdfStorageByDay } from '../components/usage/charts.tsx';
import { StorageParts, UsagePanel } from '../components/usage/usage-panel.tsx';

export default function Usage() {
  return (
    <>
      <PageHeader
        title="Usage"
        description="Usage of this workspace against the limits of its plan, per month in UTC."
      />
      <Stack gap="lg">
        <UsagePanel columns={2} />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <JobsByDay />
          <PdfStorageByDay />
        </SimpleGrid>
        <StorageParts />
      </Stack>
    </>
  );
}
