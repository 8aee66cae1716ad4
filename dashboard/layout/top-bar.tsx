import { ActionIcon } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { Brand } from './brand.tsx';
import classes from './shell.module.css';

/** Stands in for the sidebar where there is no room for one. */
export const TopBar = ({ onOpen }: { onOpen: () => void }) => (
  <nav aria-label="Top" className={classes['top-bar']}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Open navigation"
      onClick={onOpen}
    >
      <IconMenu2 size={20} />
    </ActionIcon>
    <Brand />
  </nav>
);
