import { useWorkspace } from '../../layout/workspace.tsx';
import { CutLink } from '../cut-link.tsx';

/** A job by its business key. */
export function JobLink({ id, businessKey }: { id: string; businessKey: string }) {
  const { id: workspaceId } = useWorkspace();
  return <CutLink to={`/${workspaceId}/jobs/${id}`} text={businessKey} />;
}
