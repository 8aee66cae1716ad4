import { Button, Divider, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import type { InvitationPreview } from '../../contracts/admin/invitations.ts';
import { admin, client, errorCodeOf } from '../admin.ts';
import {
  JoinAsNewPerson,
  JoinAsSignedIn,
  JoinBySigningIn,
  readInvitationToken,
} from '../components/people/join-workspace.tsx';
import { OrganisationSignIn } from '../components/people/sign-in.tsx';
import { ErrorNotice, Notice } from '../components/ui/notice.tsx';
import { formatDate } from '../formats.ts';
import { Entrance } from '../layout/signed-out-page.tsx';
import { signOut } from '../sign-in.ts';

/** Opened by the link of an invitation, whose token is in the fragment: another link in the same tab is another invitation. */
export default function Invitation() {
  const { hash } = useLocation();
  const token = useMemo(() => readInvitationToken(hash), [hash]);
  return <InvitationOf key={token} token={token} />;
}

function InvitationOf({ token }: { token: string }) {
  const preview = useQuery({
    queryKey: [...admin.invitations.preview.mutationKey(), token],
    queryFn: () => client.invitations.preview.mutate({ token }),
  });
  const account = useQuery(admin.account.get.queryOptions());
  const { data: methods } = useQuery(admin.account.signInMethods.queryOptions());
  const invitation = preview.data;
  if (errorCodeOf(preview.error) === 'invitation_not_found')
    return (
      <Entrance title="This invitation does not work">
        <ErrorNotice error={preview.error} />
      </Entrance>
    );
  if (preview.error)
    return (
      <Entrance title="Invitation">
        <ErrorNotice error={preview.error} retry={preview.refetch} />
      </Entrance>
    );
  if (!invitation || account.isPending)
    return (
      <Entrance title="Invitation">
        <Skeleton h={220} />
      </Entrance>
    );
  return (
    <Entrance title={`Join ${invitation.workspaceName}`} description={<Terms {...invitation} />}>
      {account.data?.email === invitation.email ? (
        <JoinAsSignedIn token={token} />
      ) : (
        <Stack gap="lg">
          {account.data && <SignedInAs email={account.data.email} />}
          {invitation.hasAccount ? (
            <JoinBySigningIn token={token} email={invitation.email} />
          ) : (
            <JoinAsNewPerson token={token} />
          )}
          {methods?.identityProvider && (
            <>
              <Divider label="or" />
              <OrganisationSignIn next="/invitation" />
            </>
          )}
        </Stack>
      )}
    </Entrance>
  );
}

/** As somebody else than who is invited. */
function SignedInAs({ email }: { email: string }) {
  const leave = useMutation({ mutationFn: () => signOut('/invitation') });
  return (
    <Notice tone="info">
      <Stack gap="xs" align="flex-start">
        <span>You are signed in as {email}.</span>
        <Button
          size="xs"
          variant="default"
          loading={leave.isPending}
          onClick={() => leave.mutate()}
        >
          Sign out
        </Button>
        {leave.error && <ErrorNotice error={leave.error} />}
      </Stack>
    </Notice>
  );
}

const Terms = ({ email, role, expiresAt }: InvitationPreview) => (
  <Text c="dimmed">
    {email} is invited as {role === 'owner' ? 'an owner' : 'a member'}, until{' '}
    {formatDate(expiresAt)}.
  </Text>
);
