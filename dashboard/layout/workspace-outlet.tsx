import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet, useParams } from 'react-router';
import { admin, errorCodeOf } from '../admin.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { forgetLastWorkspace, writeLastWorkspace } from './last-workspace.ts';
import { WorkspaceProvider } from './workspace.tsx';

/** Opens the workspace that the address names, for the page inside. */
export function WorkspaceOutlet() {
  const { workspaceId = '' } = useParams();
  const { data, error, refetch } = useQuery(admin.workspaces.get.queryOptions({ workspaceId }));
  const code = errorCodeOf(error);
  useEffect(() => {
    if (data) writeLastWorkspace(data.id);
    else if (code) forgetLastWorkspace();
  }, [data, code]);

  if (data)
    return (
      <WorkspaceProvider value={data}>
        <Outlet key={data.id} />
      </WorkspaceProvider>
    );
  return error ? <ErrorNotice error={error} retry={refetch} /> : <PageSkeleton />;
}
