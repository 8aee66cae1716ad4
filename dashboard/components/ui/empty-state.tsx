import { Button, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from './copy.tsx';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** The next thing to type, complete. */
  readonly command?: string;
  readonly action?: ReactNode;
}

/** Says what would be here and how to get there. */
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
  /** What is listed, in the singular and in the plural. */
  readonly one: string;
  readonly many: string;
  readonly onClear: () => void;
}

/** There are some, but none that the filters let through. */
export const NoMatch = ({ one, many, onClear }: NoMatchProps) => (
  <EmptyState
    title={`No ${one} matches`}
    action={
      <Button variant="default" onClick={onClear}>
        Show all
      </Button>
    }
  >
    There are no {many} of that kind, or none any more.
  </EmptyState>
);
