import { Button, PasswordInput, type PasswordInputProps, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { minPasswordLength } from '../../../contracts/admin/people.ts';
import { queryClient } from '../../admin.ts';
import { signInByIdentityProvider, signInByPassword } from '../../sign-in.ts';
import { checkEmail } from '../ui/form-rules.ts';
import { ErrorNotice } from '../ui/notice.tsx';

interface SignInFormProps {
  /** If set, the user cannot change the address: an invitation is for one address. */
  readonly email?: string;
  readonly onSignedIn: () => void;
}

/** A form to sign in by e-mail address and password. */
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
      // Earlier queries may belong to another account.
      queryClient.clear();
      onSignedIn();
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
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

/** A button to sign in by the identity provider that the operator has configured. `next` is the page to open afterwards. */
export function OrganisationSignIn({ next }: { next: string }) {
  const signIn = useMutation({ mutationFn: () => signInByIdentityProvider(next) });
  return (
    <Stack>
      {signIn.error && <ErrorNotice error={signIn.error} />}
      <Button
        variant="default"
        loading={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate()}
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
