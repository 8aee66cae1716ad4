import { Button, PasswordInput, type PasswordInputProps, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { minPasswordLength } from '../../../contracts/admin/people.ts';
import { queryClient } from '../../admin.ts';
import { signInByIdentityProvider, signInByPassword } from '../../sign-in.ts';
import { checkEmail } from '../ui/form-rules.ts';
import { ErrorNotice } from '../ui/notice.tsx';

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

/** By the identity provider that the operator has configured; `next` is the page to come back to. */
export function OrganisationSignIn({ next }: { next: string }) {
  const leave = useMutation({ mutationFn: () => signInByIdentityProvider(next) });
  return (
    <Stack>
      {leave.error && <ErrorNotice error={leave.error} />}
      <Button
        variant="default"
        loading={leave.isPending || leave.isSuccess}
        onClick={() => leave.mutate()}
      >
        Sign in with your organisation
      </Button>
    </Stack>
  );
}

export const NewPasswordInput = (props: PasswordInputProps) => (
  <PasswordInput
    label="Password"
    description={`At least ${minPasswordLength} characters; a sentence is easy to remember.`}
    autoComplete="new-password"
    {...props}
  />
);
