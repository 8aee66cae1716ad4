import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { admin, queryClient } from '../../admin.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { checkEmail, checkNewPassword, checkPersonName } from '../form-rules.ts';
import { NewPasswordInput } from './new-password-input.tsx';

/** Name, address and first password of whoever came by a one-time link. */
export function CompleteAccountForm() {
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: { name: checkPersonName, email: checkEmail, password: checkNewPassword },
  });
  const complete = useMutation(
    admin.account.complete.mutationOptions({
      onSuccess: (account) => {
        queryClient.setQueryData(admin.account.get.queryKey(), account);
        notifications.show({ message: `Next time, sign in as ${account.email}.` });
      },
    }),
  );
  return (
    <form onSubmit={form.onSubmit((given) => complete.mutate(given))} noValidate>
      <Stack maw={380}>
        {complete.error && <ErrorNotice error={complete.error} />}
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <NewPasswordInput {...form.getInputProps('password')} />
        <Button type="submit" w="fit-content" loading={complete.isPending}>
          Save
        </Button>
      </Stack>
    </form>
  );
}
