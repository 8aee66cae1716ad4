import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { CSSProperties, ReactNode } from 'react';
import { errorCodeOf } from '../../admin.ts';
import { SignInError } from '../../sign-in.ts';
import { type Tone, toneColors } from '../../theme.ts';
import classes from './notice.module.css';

interface NoticeProps {
  readonly tone: Tone;
  readonly title?: ReactNode;
  readonly children: ReactNode;
}

/** A message that stands out from the rest of the page. `tone` is its colour. */
export const Notice = ({ tone, title, children }: NoticeProps) => (
  <div className={classes.notice} style={{ '--tone': toneColors[tone] } as CSSProperties}>
    {title && <p className={classes.title}>{title}</p>}
    {children}
  </div>
);

/** The message for the user: the one of the server if it answered with an error code, else that it cannot be reached. */
export function messageOf(error: unknown): string {
  const code = errorCodeOf(error);
  // The message of the server is for API clients and mentions a token.
  if (code === 'unauthorized') return 'Your session has ended: sign in again.';
  return (code || error instanceof SignInError) && error instanceof Error
    ? error.message
    : 'The service cannot be reached. Check the connection, then try again.';
}

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly retry?: () => unknown;
}

/** Says why something could not be loaded or done, and offers to try again if `retry` is set. */
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

/** Shows an error as a notification. For actions without a form or dialog that could show it. */
export const notifyFailure = (error: unknown): void => {
  notifications.show({ color: 'red', message: messageOf(error) });
};
