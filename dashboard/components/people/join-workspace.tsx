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
 * The token is in the fragment of the link, which browsers send to nobody. While its holder signs in elsewhere this tab keeps
 * it, so that it gets into no address that others see.
 */

const tokenKey = 'invitation';

export function readInvitationToken(hash: string): string {
  const token = hash.slice(1);
  if (token) sessionStorage.setItem(tokenKey, token);
  return token || (sessionStorage.getItem(tokenKey) ?? '');
}

export const forgetInvitationToken = (): void => sessionStorage.removeItem(tokenKey);

/** The three ways into a workspace by an invitation. */

/** What was read before knows nothing of the new workspace, or belongs to somebody else. */
function useOpenWorkspace() {
  const navigate = useNavigate();
  return (workspaceId: string) => {
    queryClient.clear();
    forgetInvitationToken();
    return navigate(`/${workspaceId}`, { replace: true });
  };
}

function useJoin() {
  const open = useOpenWorkspace();
  return useMutation(admin.invitations.accept.mutationOptions({ onSuccess: ({ id }) => open(id) }));
}

export function JoinAsSignedIn({ token }: { token: string }) {
  const join = useJoin();
  return (
    <Stack>
      {join.error && <ErrorNotice error={join.error} />}
      <Button loading={join.isPending} onClick={() => join.mutate({ token })}>
        Join
      </Button>
    </Stack>
  );
}

export function JoinBySigningIn({ token, email }: { token: string; email: string }) {
  const join = useJoin();
  return (
    <Stack>
      {join.error && <ErrorNotice error={join.error} />}
      <SignInForm email={email} onSignedIn={() => join.mutate({ token })} />
    </Stack>
  );
}

export function JoinAsNewPerson({ token }: { token: string }) {
  const open = useOpenWorkspace();
  const join = useMutation({
    mutationFn: acceptInvitation,
    onSuccess: ({ workspaceId }) => open(workspaceId),
  });
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: { name: checkPersonName, password: checkNewPassword },
  });
  return (
    <form onSubmit={form.onSubmit((given) => join.mutate({ token, ...given }))} noValidate>
      <Stack>
        {join.error && <ErrorNotice error={join.error} />}
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <NewPasswordInput {...form.getInputProps('password')} />
        <Button type="submit" loading={join.isPending}>
          Make the account and join
        </Button>
      </Stack>
    </form>
  );
}
