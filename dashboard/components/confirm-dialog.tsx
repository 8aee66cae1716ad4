import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

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
