import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { signInByIdentityProvider } from '../../sign-in.ts';
import { ErrorNotice } from '../error-notice.tsx';

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
