import { Divider, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { InvitationPreview } from '../../contracts/schemas/people.ts';
import { admin, client } from '../admin.ts';
import { OrganisationSignIn } from '../components/account/organisation-sign-in.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { readInvitationToken } from '../components/members/invitation-token.ts';
import {
  JoinAsNewPerson,
  JoinAsSignedIn,
  JoinBySigningIn,
} from '../components/members/join-workspace.tsx';
import { formatDate } from '../formats.ts';
import { Entrance } from '../layout/entrance.tsx';

/** Opened by the link of an invitation, whose token is in the fragment. */
export default function Invitation() {
  const { hash } = useLocation();
  const [token] = useState(() => readInvitationToken(hash));
  const preview = useQuery({
    queryKey: [...admin.invitations.preview.mutationKey(), token],
    queryFn: () => client.invitations.preview.mutate({ token }),
  });
  const account = useQuery(admin.account.get.queryOptions());
  const { data: methods } = useQuery(admin.account.signInMethods.queryOptions());
  const invitation = preview.data;
  if (preview.error)
    return (
      <Entrance title="This invitation does not work">
        <ErrorNotice error={preview.error} />
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

const Terms = ({ email, role, expiresAt }: InvitationPreview) => (
  <Text c="dimmed">
    {email} is invited as {role === 'owner' ? 'an owner' : 'a member'}, until{' '}
    {formatDate(expiresAt)}.
  </Text>
);
