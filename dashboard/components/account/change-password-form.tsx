import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { changePassword } from '../../sign-in.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { checkNewPassword } from '../form-rules.ts';
import { NewPasswordInput } from './new-password-input.tsx';

export function ChangePasswordForm() {
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (value) => (value ? null : 'Enter the password that you have.'),
      newPassword: checkNewPassword,
    },
  });
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      form.reset();
      notifications.show({ message: 'The password is changed.' });
    },
  });
  return (
    <form onSubmit={form.onSubmit((given) => change.mutate(given))} noValidate>
      <Stack maw={380}>
        {change.error && <ErrorNotice error={change.error} />}
        <PasswordInput
          label="Password until now"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordInput label="New password" {...form.getInputProps('newPassword')} />
        <Button type="submit" w="fit-content" loading={change.isPending}>
          Change
        </Button>
      </Stack>
    </form>
  );
}
