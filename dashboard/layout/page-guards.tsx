import { Anchor, Button, Center, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { Link, Outlet, useParams } from 'react-router';
import { admin, errorCodeOf, isInaccessible } from '../admin.ts';
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

/** The text shown instead of a page, by the role that the user lacks. */
const refusals = {
  member: 'This page is for members of the workspace. Ask an owner for an invitation.',
  owner: 'This page is for owners of the workspace. Ask one of them.',
  operator: 'This page is for operators of the service.',
} as const satisfies Record<Page['visibleTo'], string>;

/** Shows a page, or a notice if the user does not have the role for it. */
export function GuardedPage({
  page,
  component: Content,
}: {
  page: Page;
  component: ComponentType;
}) {
  const rights = useRights(useCurrentWorkspace());
  if (rights[page.visibleTo]) return <Content />;
  return (
    <>
      <PageHeader title={page.title} />
      <Notice tone="neutral">{refusals[page.visibleTo]}</Notice>
    </>
  );
}

/** Loads the workspace in the address for the page inside, and remembers it as the one to open next time. */
export function WorkspaceOutlet() {
  const { workspaceId = '' } = useParams();
  const { data, error, refetch } = useQuery(admin.workspaces.get.queryOptions({ workspaceId }));
  const isMissing = errorCodeOf(error) === 'workspace_not_found';
  useEffect(() => {
    if (isMissing && readLastWorkspace() === workspaceId) forgetLastWorkspace();
    else if (data && !isMissing) writeLastWorkspace(data.id);
  }, [data, isMissing, workspaceId]);

  if (isMissing) return <MissingWorkspace />;
  // A user who has just lost access still has the data in the cache. It must not be shown.
  if (data && !isInaccessible(error))
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

/** Shown when a page throws, or does not load, most often because a newer release has replaced its files. */
export const BrokenPage = () => (
  <Stack maw={420} gap="sm">
    <Title>This page did not load</Title>
    <Text c="dimmed">
      The service may have been updated, or the connection was lost. Reload the page.
    </Text>
    <Button w="fit-content" onClick={() => window.location.reload()}>
      Reload
    </Button>
  </Stack>
);

/** `BrokenPage` for errors outside the shell. */
export const BrokenApp = () => (
  <Center component="main" mih="100vh" p="lg">
    <BrokenPage />
  </Center>
);
