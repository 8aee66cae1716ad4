import { Button, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from './copy.tsx';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** The complete command to run next. */
  readonly command?: string;
  readonly action?: ReactNode;
}

/** Shown instead of an empty list: says what would be here and how to create it. */
export const EmptyState = ({ title, children, command, action }: EmptyStateProps) => (
  <Stack className={classes.empty} gap="sm" align="flex-start">
    <Title order={2}>{title}</Title>
    {children && (
      <Text c="dimmed" maw={560}>
        {children}
      </Text>
    )}
    {command && <CodeBlock label={`Command: ${title}`}>{command}</CodeBlock>}
    {action}
  </Stack>
);

interface NoMatchProps {
  /** The name of a row, in the singular and the plural. */
  readonly one: string;
  readonly many: string;
  readonly onClear: () => void;
}

/** Shown when no row matches the filters. */
export const NoMatch = ({ one, many, onClear }: NoMatchProps) => (
  <EmptyState
    title={`No ${one} matches`}
    action={
      <Button variant="default" onClick={onClear}>
        Show all
      </Button>
    }
  >
    No {many} match these filters.
  </EmptyState>
);
