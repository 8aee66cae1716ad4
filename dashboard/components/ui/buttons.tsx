import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseMutationResult } from '@tanstack/react-query';
import type { MouseEvent, ReactNode } from 'react';
import { ErrorNotice } from './notice.tsx';

interface FormActionsProps {
  readonly submitLabel: string;
  readonly isPending: boolean;
  readonly onCancel: () => void;
}

/** The end of a form in a dialog. */
export const FormActions = ({ submitLabel, isPending, onCancel }: FormActionsProps) => (
  <Group justify="flex-end" gap="xs">
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={isPending}>
      {submitLabel}
    </Button>
  </Group>
);

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What happens then, and whether it can be undone. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly onConfirm: () => unknown;
  readonly isPending: boolean;
  readonly error?: unknown;
  readonly destructive?: boolean;
}

/** Asks before what cannot be undone. */
export const ConfirmDialog = ({
  opened,
  onClose,
  title,
  children,
  confirmLabel,
  onConfirm,
  isPending,
  error,
  destructive = true,
}: ConfirmDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={title}>
    <Stack>
      <div>{children}</div>
      {Boolean(error) && <ErrorNotice error={error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep
        </Button>
        <Button
          {...(destructive && { color: 'red' })}
          loading={isPending}
          onClick={() => onConfirm()}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Stack>
  </Modal>
);

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

/**
 * For what must not be done twice: a double click is two clicks, and the second one may come after the first was answered.
 * The keyboard's are not counted by browsers and all act.
 */
export const onFirstClick =
  (act: () => unknown) =>
  (event: MouseEvent): void => {
    if (event.detail <= 1) act();
  };
