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
import { roleWithArticle } from '../components/people/roles.ts';
import { OrganisationSignIn } from '../components/people/sign-in.tsx';
import { ErrorNotice, Notice } from '../components/ui/notice.tsx';
import { formatDate } from '../formats.ts';
import { SignedOutPage } from '../layout/signed-out-page.tsx';
import { signOut } from '../sign-in.ts';

/**
 * Opened by the link of an invitation, which has the token in its fragment. The token is the key of the component, so that
 * the link of another invitation in the same tab resets the page.
 */
export default function Invitation() {
  const { hash } = useLocation();
  const token = useMemo(() => readInvitationToken(hash), [hash]);
  return <InvitationByToken key={token} token={token} />;
}

function InvitationByToken({ token }: { token: string }) {
  const preview = useQuery({
    queryKey: [...admin.invitations.preview.mutationKey(), token],
    queryFn: () => client.invitations.preview.mutate({ token }),
  });
  const account = useQuery(admin.account.get.queryOptions());
  const { data: methods } = useQuery(admin.account.signInMethods.queryOptions());
  const invitation = preview.data;
  if (errorCodeOf(preview.error) === 'invitation_not_found')
    return (
      <SignedOutPage title="This invitation does not work">
        <ErrorNotice error={preview.error} />
      </SignedOutPage>
    );
  if (preview.error)
    return (
      <SignedOutPage title="Invitation">
        <ErrorNotice error={preview.error} retry={preview.refetch} />
      </SignedOutPage>
    );
  if (!invitation || account.isPending)
    return (
      <SignedOutPage title="Invitation">
        <Skeleton h={220} />
      </SignedOutPage>
    );
  return (
    <SignedOutPage
      title={`Join ${invitation.workspaceName}`}
      description={<InvitationSummary {...invitation} />}
    >
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
    </SignedOutPage>
  );
}

/** Tells the user that they are signed in with another address than the invited one. */
function SignedInAs({ email }: { email: string }) {
  const signingOut = useMutation({ mutationFn: () => signOut('/invitation') });
  return (
    <Notice tone="neutral">
      <Stack gap="xs" align="flex-start">
        <span>You are signed in as {email}.</span>
        <Button
          size="xs"
          variant="default"
          loading={signingOut.isPending}
          onClick={() => signingOut.mutate()}
        >
          Sign out
        </Button>
        {signingOut.error && <ErrorNotice error={signingOut.error} />}
      </Stack>
    </Notice>
  );
}

const InvitationSummary = ({ email, role, expiresAt }: InvitationPreview) => (
  <Text c="dimmed">
    {email} is invited as {roleWithArticle[role]}, until {formatDate(expiresAt)}.
  </Text>
);
