import { SimpleGrid, Stack } from '@mantine/core';
import { PageHeader } from '../components/page-header.tsx';
import { JobsByDay } from '../components/usage/jobs-by-day.tsx';
import { PdfStorageByDay } from '../components/usage/pdf-storage-by-day.tsx';
import { StorageParts } from '../components/usage/storage-parts.tsx';
import { UsagePanel } from '../components/usage/usage-panel.tsx';

export default function Usage() {
  return (
    <>
      <PageHeader
        title="Usage"
        description="What this workspace has used of what its plan allows, month by month in UTC."
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
