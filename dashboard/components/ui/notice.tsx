import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { errorCodeOf } from '../../admin.ts';
import { SignInError } from '../../sign-in.ts';
import classes from './notice.module.css';

interface NoticeProps {
  readonly tone: 'info' | 'warning' | 'bad';
  readonly title?: ReactNode;
  readonly children: ReactNode;
}

/** Something about the page's one thing that is to be seen first. */
export const Notice = ({ tone, title, children }: NoticeProps) => (
  <div className={classes.notice} data-tone={tone}>
    {title && <p className={classes.title}>{title}</p>}
    {children}
  </div>
);

/** The server's own sentence, which says what to do; where none came, what that means. */
export function messageOf(error: unknown): string {
  const code = errorCodeOf(error);
  // The server's speaks to programs too, of a token.
  if (code === 'unauthorized') return 'Your session has ended: sign in again.';
  return (code || error instanceof SignInError) && error instanceof Error
    ? error.message
    : 'The service cannot be reached. Check the connection, then try again.';
}

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly retry?: () => unknown;
}

/** In the place of what could not be shown or done. */
export const ErrorNotice = ({ error, retry }: ErrorNoticeProps) => (
  <div role="alert">
    <Notice tone="bad">
      <Group justify="space-between" gap="sm">
        <span>{messageOf(error)}</span>
        {retry && (
          <Button size="xs" variant="default" onClick={() => retry()}>
            Try again
          </Button>
        )}
      </Group>
    </Notice>
  </div>
);

/** For what failed where no form or dialog is open that could say so. */
export const notifyFailure = (error: unknown): void => {
  notifications.show({ color: 'red', message: messageOf(error) });
};
