import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconLogout, IconSelector, IconUserCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { notifyFailure } from '../components/notify-failure.ts';
import { signOut } from '../sign-in.ts';
import { useAccount } from './account.tsx';
import { ColorSchemeChoice } from './color-scheme-choice.tsx';
import classes from './sidebar.module.css';

/** Who has signed in, the look of the page, and the way out. */
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
