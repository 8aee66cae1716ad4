import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { admin, queryClient } from '../../admin.ts';
import { acceptInvitation } from '../../sign-in.ts';
import { checkNewPassword, checkPersonName } from '../ui/form-rules.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { NewPasswordInput, SignInForm } from './sign-in.tsx';

/**
 * The key in session storage of the invitation token. The link has the token in its fragment, which browsers do not send. While
 * the user signs in at the identity provider the token stays here, so that it appears in no other address.
 */
const tokenKey = 'invitation';

/** The token in the fragment, which is then stored, else the stored token. Empty if there is none. */
export function readInvitationToken(hash: string): string {
  const token = hash.slice(1);
  if (token) sessionStorage.setItem(tokenKey, token);
  return token || (sessionStorage.getItem(tokenKey) ?? '');
}

const forgetInvitationToken = (): void => sessionStorage.removeItem(tokenKey);

/** Opens the workspace that the user has joined. Clears all queries: their data lacks the workspace or belongs to another account. */
function useOpenJoinedWorkspace() {
  const navigate = useNavigate();
  return (workspaceId: string) => {
    queryClient.clear();
    forgetInvitationToken();
    return navigate(`/${workspaceId}`, { replace: true });
  };
}

function useAcceptInvitation() {
  const open = useOpenJoinedWorkspace();
  return useMutation(admin.invitations.accept.mutationOptions({ onSuccess: ({ id }) => open(id) }));
}

/** For the invited person who is signed in. */
export function JoinAsSignedIn({ token }: { token: string }) {
  const join = useAcceptInvitation();
  return (
    <Stack>
      {join.error && <ErrorNotice error={join.error} />}
      <Button loading={join.isPending} onClick={() => join.mutate({ token })}>
        Join
      </Button>
    </Stack>
  );
}

/** For the invited person who has an account and must sign in first. */
export function JoinBySigningIn({ token, email }: { token: string; email: string }) {
  const join = useAcceptInvitation();
  return (
    <Stack>
      {join.error && <ErrorNotice error={join.error} />}
      <SignInForm email={email} onSignedIn={() => join.mutate({ token })} />
    </Stack>
  );
}

/** For the invited person who has no account yet. */
export function JoinAsNewPerson({ token }: { token: string }) {
  const open = useOpenJoinedWorkspace();
  const join = useMutation({
    mutationFn: acceptInvitation,
    onSuccess: ({ workspaceId }) => open(workspaceId),
  });
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: { name: checkPersonName, password: checkNewPassword },
  });
  return (
    <form onSubmit={form.onSubmit((values) => join.mutate({ token, ...values }))} noValidate>
      <Stack>
        {join.error && <ErrorNotice error={join.error} />}
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <NewPasswordInput {...form.getInputProps('password')} />
        <Button type="submit" loading={join.isPending}>
          Create account and join
        </Button>
      </Stack>
    </form>
  );
}
