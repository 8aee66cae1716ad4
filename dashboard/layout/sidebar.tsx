import { Stack } from '@mantine/core';
import { Brand } from './brand.tsx';
import { Navigation } from './navigation.tsx';
import classes from './sidebar.module.css';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

export const Sidebar = () => (
  <Stack component="nav" aria-label="Main" className={classes.sidebar ?? ''} gap="md">
    <div className={classes.brand}>
      <Brand />
    </div>
    <WorkspaceSwitcher />
    <Navigation />
    <UserMenu />
  </Stack>
);
