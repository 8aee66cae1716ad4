import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface ConfirmButtonProps<Variables> extends ButtonProps {
  /** What is done: on the button, and on what confirms it. */
  readonly label: string;
  readonly title: string;
  /** What happens then, and whether it can be undone. */
  readonly children: ReactNode;
  readonly mutation: Pick<
    UseMutationResult<unknown, unknown, Variables>,
    'mutate' | 'isPending' | 'error' | 'reset'
  >;
  readonly variables: Variables;
  readonly destructive?: boolean;
  readonly 'aria-label'?: string;
}

/** A button for what is asked about first. */
export function ConfirmButton<Variables>({
  label,
  title,
  children,
  mutation: { mutate, isPending, error, reset },
  variables,
  destructive = true,
  ...button
}: ConfirmButtonProps<Variables>) {
  const [opened, { open, close }] = useDisclosure();
  const ask = () => {
    // What went wrong the last time is no answer to this one.
    reset();
    open();
  };
  return (
    <>
      <Button variant="default" {...button} onClick={ask}>
        {label}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={title}
        confirmLabel={label}
        onConfirm={() => mutate(variables, { onSuccess: close })}
        isPending={isPending}
        error={error}
        destructive={destructive}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
