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

/** The buttons at the end of a form in a dialog. */
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
  /** Says what will happen, and whether it can be undone. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly onConfirm: () => unknown;
  readonly isPending: boolean;
  readonly error?: unknown;
  readonly destructive?: boolean;
}

/** A dialog that asks for confirmation, and stays open to show the error if the action fails. */
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
          Cancel
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
  /** The text of the button, and of the button that confirms. */
  readonly label: string;
  readonly title: string;
  /** Says what will happen, and whether it can be undone. */
  readonly children: ReactNode;
  readonly mutation: Pick<
    UseMutationResult<unknown, unknown, Variables>,
    'mutate' | 'isPending' | 'error' | 'reset'
  >;
  readonly variables: Variables;
  readonly destructive?: boolean;
  readonly 'aria-label'?: string;
}

/** A button that opens a `ConfirmDialog` before it runs its mutation. */
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
  const openDialog = () => {
    // Removes the error of the last time that the user confirmed.
    reset();
    open();
  };
  return (
    <>
      <Button variant="default" {...button} onClick={openDialog}>
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
 * Makes a click handler that ignores the second click of a double click. `loading` does not suffice: the second click may come
 * after the first was answered. Browsers report a click by keyboard with `detail` 0, so it always acts.
 */
export const onFirstClick =
  (act: () => unknown) =>
  (event: MouseEvent): void => {
    if (event.detail <= 1) act();
  };
