import { Button, Group } from '@mantine/core';
import { errorCodeOf } from '../admin.ts';
import { SignInError } from '../sign-in.ts';
import { Notice } from './notice.tsx';

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
