import { Button } from '@mantine/core';
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
    <Button variant="subtle" disabled={isEmpty} onClick={onClear}>
      Show all
    </Button>
  </search>
);
