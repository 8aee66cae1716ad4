import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { admin, errorCodeOf } from '../admin.ts';
import { ErrorNotice } from '../components/ui/notice.tsx';
import { PageSkeleton } from '../components/ui/page.tsx';
import { readLastWorkspace } from '../session.tsx';

/** Redirects to the last open workspace, else to the newest one of the user, else to the list of workspaces. */
export default function Start() {
  const lastId = readLastWorkspace();
  const last = useQuery({
    ...admin.workspaces.get.queryOptions({ workspaceId: lastId ?? '' }),
    enabled: lastId !== undefined,
  });
  // The last workspace may belong to another account that used this browser.
  const isMissing = errorCodeOf(last.error) === 'workspace_not_found';
  const list = useQuery({
    ...admin.workspaces.list.queryOptions({ mine: true, limit: 1 }),
    enabled: lastId === undefined || isMissing,
  });
  const workspaceId = (isMissing ? undefined : last.data?.id) ?? list.data?.items[0]?.id;
  if (workspaceId) return <Navigate to={`/${workspaceId}`} replace />;
  if (list.data) return <Navigate to="/workspaces" replace />;
  const { error, refetch } = lastId === undefined || isMissing ? list : last;
  return error ? <ErrorNotice error={error} retry={refetch} /> : <PageSkeleton />;
}
