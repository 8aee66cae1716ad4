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
        description="What this workspace has used, against what its plan allows. A bill period is a calendar month in UTC."
      />
      <Stack gap="lg">
        <UsagePanel />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <JobsByDay />
          <PdfStorageByDay />
        </SimpleGrid>
        <StorageParts />
      </Stack>
    </>
  );
}
