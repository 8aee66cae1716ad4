import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { maxListLimit } from '../../contracts/limits.ts';
import { admin } from '../admin.ts';
import { usePlanName } from '../plan-name.ts';
import { useAccount } from './account.tsx';
import { useCurrentWorkspace } from './current-workspace.ts';
import classes from './sidebar.module.css';

/** Which workspace is open, and the others to open. Operators find those of other people on their page. */
export function WorkspaceSwitcher() {
  const current = useCurrentWorkspace();
  const { operator } = useAccount();
  const planName = usePlanName();
  const { data } = useQuery(
    admin.workspaces.list.queryOptions({ mine: true, limit: maxListLimit }),
  );
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={`${classes['menu-target']} ${classes.switcher}`}>
          <VisuallyHidden>Workspace: </VisuallyHidden>
          <span className={classes['menu-text']}>
            <span>{current?.name ?? 'No workspace'}</span>
            <span className={classes['menu-quiet']}>
              {current ? planName(current.plan) : '\u00a0'}
            </span>
          </span>
          <IconSelector size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {data?.items.map(({ id, name }) => (
          <Menu.Item
            key={id}
            component={Link}
            to={`/${id}`}
            rightSection={id === current?.id && <IconCheck size={16} />}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/workspaces" leftSection={<IconPlus size={16} />}>
          {operator ? 'All workspaces' : 'New workspace'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
