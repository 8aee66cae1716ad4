import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useWorkspace } from '../../layout/workspace.tsx';
import classes from './job-link.module.css';

/** A job by its business key, which may be long: cut where there is no room. */
export function JobLink({ id, businessKey }: { id: string; businessKey: string }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Anchor
      component={Link}
      to={`/${workspaceId}/jobs/${id}`}
      className={classes.link ?? ''}
      title={businessKey}
    >
      {businessKey}
    </Anchor>
  );
}
