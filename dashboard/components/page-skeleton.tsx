import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

/** Holds the place of a page whose reader, workspace or content is not known yet. */
export const PageSkeleton = () => (
  <Stack gap="lg" aria-busy>
    <VisuallyHidden role="status">Loading</VisuallyHidden>
    <Skeleton h={34} w={220} />
    <Skeleton h={320} />
  </Stack>
);
