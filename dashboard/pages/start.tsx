import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { admin } from '../admin.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { readLastWorkspace } from '../layout/last-workspace.ts';

/** Opens the workspace that was open last, else the newest; who has none is shown where to make one. */
export default function Start() {
  const last = readLastWorkspace();
  const options = admin.workspaces.list.queryOptions({ mine: true, limit: 1 });
  const { data, error, refetch } = useQuery({ ...options, enabled: last === undefined });
  const workspaceId = last ?? data?.items[0]?.id;
  if (workspaceId) return <Navigate to={`/${workspaceId}`} replace />;
  if (data) return <Navigate to="/workspaces" replace />;
  return error ? <ErrorNotice error={error} retry={refetch} /> : <PageSkeleton />;
}
