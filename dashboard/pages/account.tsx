import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { admin, queryClient } from '../admin.ts';
import { NewPasswordInput } from '../components/people/sign-in.tsx';
import { checkEmail, checkNewPassword, checkPersonName } from '../components/ui/form-rules.ts';
import { ErrorNotice } from '../components/ui/notice.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { Panel } from '../components/ui/panel.tsx';
import { useAccount } from '../session.tsx';
import { changePassword } from '../sign-in.ts';

/** Who has signed in, and how the next time. */
export default function AccountPage() {
  const { name, email, operator, complete, hasPassword } = useAccount();
  if (!complete)
    return (
      <>
        <PageHeader title="Account" />
        <Panel
          title="Choose how to sign in"
          description="You came by a link that works once. With a password you can come back."
        >
          <CompleteAccountForm />
        </Panel>
      </>
    );
  return (
    <>
      <PageHeader
        title="Account"
        description={`${name}, ${email}${operator ? ', operator' : ''}`}
      />
      {hasPassword ? (
        <Panel title="Change the password" description="Signs out all other browsers.">
          <ChangePasswordForm />
        </Panel>
      ) : (
        <Text>You sign in with your organisation, which also has your password.</Text>
      )}
    </>
  );
}

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
