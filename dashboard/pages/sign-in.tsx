import { Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { errors } from '../../contracts/errors.ts';
import { admin } from '../admin.ts';
import { OrganisationSignIn, SignInForm } from '../components/people/sign-in.tsx';
import { Notice } from '../components/ui/notice.tsx';
import { SignedOutPage } from '../layout/signed-out-page.tsx';

/** Messages for the error codes that a sign-in link or the identity provider redirects with. */
const failureMessages: Readonly<Record<string, string>> = {
  sign_in_link_not_found: errors.sign_in_link_not_found.message,
  unable_to_create_user:
    'The identity provider knows you, but nobody has invited this address here. Ask an owner of the workspace for an invitation.',
  account_not_linked:
    'An account has this address, but not by this identity provider. Sign in by password, or ask an operator for a link.',
  access_denied: 'The sign-in was canceled at the identity provider.',
};

const unknownFailure = 'The identity provider did not sign you in. Try again, or ask an operator.';

export default function SignIn() {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const next = internalPath(query.get('next'));
  const failure = query.get('error');
  const { data: methods } = useQuery(admin.account.signInMethods.queryOptions());
  const account = useQuery(admin.account.get.queryOptions());
  // `data` alone is not enough: after the session has ended, it still has the account from the cache.
  if (account.isSuccess) return <Navigate to={next} replace />;
  return (
    <SignedOutPage title="Sign in">
      <Stack gap="lg">
        {failure && (
          <div role="alert">
            <Notice tone="bad">{failureMessages[failure] ?? unknownFailure}</Notice>
          </div>
        )}
        <SignInForm onSignedIn={() => navigate(next, { replace: true })} />
        {methods?.identityProvider && (
          <>
            <Divider label="or" />
            <OrganisationSignIn next={next} />
          </>
        )}
      </Stack>
    </SignedOutPage>
  );
}

/** Returns `next` if it is a path, otherwise `/`: a link must not redirect to another site. */
const internalPath = (next: string | null): string =>
  next?.startsWith('/') && !next.startsWith('//') ? next : '/';
