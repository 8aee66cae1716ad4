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

/** The account of the user and its password. */
export default function AccountPage() {
  const { name, email, operator, complete, hasPassword } = useAccount();
  if (!complete)
    return (
      <>
        <PageHeader title="Account" />
        <Panel
          title="Choose how to sign in"
          description="You signed in by a one-time link. With a password you can sign in again."
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
        <Text>You sign in through your organisation, which also manages your password.</Text>
      )}
    </>
  );
}

function ChangePasswordForm() {
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (value) => (value ? null : 'Enter your current password.'),
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
    <form onSubmit={form.onSubmit((values) => change.mutate(values))} noValidate>
      <Stack maw={380}>
        {change.error && <ErrorNotice error={change.error} />}
        <PasswordInput
          label="Current password"
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

/** Asks users who signed in by a one-time link for a name, an e-mail address and a password. */
function CompleteAccountForm() {
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
    <form onSubmit={form.onSubmit((values) => complete.mutate(values))} noValidate>
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
