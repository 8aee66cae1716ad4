import { Anchor, Button, Center, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { Link, Outlet, useParams } from 'react-router';
import { admin, errorCodeOf, isWithheld } from '../admin.ts';
import { ErrorNotice, Notice } from '../components/ui/notice.tsx';
import { PageHeader, PageSkeleton } from '../components/ui/page.tsx';
import type { Page } from '../pages.ts';
import {
  forgetLastWorkspace,
  readLastWorkspace,
  useCurrentWorkspace,
  useRights,
  WorkspaceProvider,
  writeLastWorkspace,
} from '../session.tsx';

/** A page, or why whoever opened its address does not get to see it. */
export function GuardedPage({ page, component: Shown }: { page: Page; component: ComponentType }) {
  const rights = useRights(useCurrentWorkspace());
  if (rights[page.seenBy]) return <Shown />;
  return (
    <>
      <PageHeader title={page.title} />
      <Notice tone="info">
        {page.seenBy === 'owner'
          ? 'This page is for owners of the workspace: ask one of them.'
          : 'This page is for operators of the service.'}
      </Notice>
    </>
  );
}

/** Opens the workspace that the address names, for the page inside. */
export function WorkspaceOutlet() {
  const { workspaceId = '' } = useParams();
  const { data, error, refetch } = useQuery(admin.workspaces.get.queryOptions({ workspaceId }));
  const isMissing = errorCodeOf(error) === 'workspace_not_found';
  useEffect(() => {
    if (isMissing && readLastWorkspace() === workspaceId) forgetLastWorkspace();
    else if (data && !isMissing) writeLastWorkspace(data.id);
  }, [data, isMissing, workspaceId]);

  if (isMissing) return <MissingWorkspace />;
  // Whoever was a member until just now has read it before.
  if (data && !isWithheld(error))
    return (
      <WorkspaceProvider value={data}>
        <Outlet key={data.id} />
      </WorkspaceProvider>
    );
  return error ? <ErrorNotice error={error} retry={refetch} /> : <PageSkeleton />;
}

const MissingWorkspace = () => (
  <PageHeader
    title="There is no such workspace"
    description={
      <>
        The address may be mistyped, or you are not one of its members.{' '}
        <Anchor component={Link} to="/" underline="always">
          Back to the start
        </Anchor>
      </>
    }
  />
);

/** A page that could not be loaded, most often because a newer release has replaced its files, or that broke. */
export const BrokenPage = () => (
  <Stack maw={420} gap="sm">
    <Title>This page did not load</Title>
    <Text c="dimmed">
      The service may just have been updated, or the connection is gone. Loading the page again
      mends both.
    </Text>
    <Button w="fit-content" onClick={() => window.location.reload()}>
      Load again
    </Button>
  </Stack>
);

/** The same where nothing stands around it. */
export const BrokenApp = () => (
  <Center component="main" mih="100vh" p="lg">
    <BrokenPage />
  </Center>
);
