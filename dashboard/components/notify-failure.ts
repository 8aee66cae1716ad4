import { notifications } from '@mantine/notifications';
import { messageOf } from './error-notice.tsx';

/** For what failed where no form or dialog is open that could say so. */
export const notifyFailure = (error: unknown): void => {
  notifications.show({ color: 'red', message: messageOf(error) });
};
