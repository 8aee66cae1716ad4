import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { queryClient } from '../../admin.ts';
import { signInByPassword } from '../../sign-in.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { checkEmail } from '../form-rules.ts';

interface SignInFormProps {
  /** Where only one address makes sense, as with an invitation. */
  readonly email?: string;
  readonly onSignedIn: () => void;
}

/** By e-mail address and password. */
export function SignInForm({ email, onSignedIn }: SignInFormProps) {
  const form = useForm({
    initialValues: { email: email ?? '', password: '' },
    validate: {
      email: checkEmail,
      password: (value) => (value ? null : 'Enter the password.'),
    },
  });
  const signIn = useMutation({
    mutationFn: signInByPassword,
    onSuccess: () => {
      // What was read belongs to nobody, or to whoever was signed in before.
      queryClient.clear();
      onSignedIn();
    },
  });
  return (
    <form onSubmit={form.onSubmit((given) => signIn.mutate(given))} noValidate>
      <Stack>
        {signIn.error && <ErrorNotice error={signIn.error} />}
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          readOnly={email !== undefined}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
