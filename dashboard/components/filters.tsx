import { ActionIcon, Tooltip } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './filters.module.css';

interface FiltersProps {
  /** What is filtered: `Filter jobs`. */
  readonly label: string;
  readonly isEmpty: boolean;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** What narrows a list, and the way back to all of it. */
export const Filters = ({ label, isEmpty, onClear, children }: FiltersProps) => (
  <search className={classes.filters} aria-label={label}>
    {children}
    <Tooltip label="Show all">
      <ActionIcon
        className={classes.clear ?? ''}
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Show all"
        disabled={isEmpty}
        onClick={onClear}
      >
        <IconFilterOff size={18} />
      </ActionIcon>
    </Tooltip>
  </search>
);
