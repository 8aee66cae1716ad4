import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Outlet, useParams } from 'react-router';
import { admin, errorCodeOf, isWithheld } from '../admin.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { forgetLastWorkspace, readLastWorkspace, writeLastWorkspace } from './last-workspace.ts';
import { WorkspaceProvider } from './workspace.tsx';

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
