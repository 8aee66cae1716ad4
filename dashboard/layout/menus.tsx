import {
  type MantineColorScheme,
  Menu,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { IconCheck, IconLogout, IconPlus, IconSelector, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { maxListLimit } from '../../contracts/limits.ts';
import { admin } from '../admin.ts';
import { usePlanName } from '../components/plan/plans.ts';
import { notifyFailure } from '../components/ui/notice.tsx';
import { useAccount, useCurrentWorkspace } from '../session.tsx';
import { signOut } from '../sign-in.ts';
import classes from './sidebar.module.css';

/** Shows the open workspace. Its menu opens other workspaces of the user. Operators find all workspaces on the page `/workspaces`. */
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

/** A menu: the account, the colour scheme, and signing out. */
export function UserMenu() {
  const { name, email } = useAccount();
  return (
    <Menu width={232} position="top-start">
      <Menu.Target>
        <UnstyledButton className={classes['menu-target'] ?? ''}>
          <VisuallyHidden>Account: </VisuallyHidden>
          <IconUserCircle size={20} stroke={1.6} />
          <span className={classes['menu-text']}>
            <span>{name}</span>
            <span className={classes['menu-quiet']}>{email}</span>
          </span>
          <IconSelector size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" leftSection={<IconUserCircle size={16} />}>
          Account
        </Menu.Item>
        <Menu.Divider />
        <ColorSchemeChoice />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => signOut().catch(notifyFailure)}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const schemeLabels = {
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
} as const satisfies Record<MantineColorScheme, string>;

function ColorSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Colour scheme</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
      >
        {Object.entries(schemeLabels).map(([value, label]) => (
          <Menu.RadioItem key={value} value={value}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
