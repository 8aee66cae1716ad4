import { Text } from '@mantine/core';
import { ChangePasswordForm } from '../components/account/change-password-form.tsx';
import { CompleteAccountForm } from '../components/account/complete-account-form.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Panel } from '../components/panel.tsx';
import { useAccount } from '../layout/account.tsx';

/** Who has signed in, and how the next time. */
export default function AccountPage() {
  const { name, email, operator, complete, hasPassword } = useAccount();
  if (!complete)
    return (
      <>
        <PageHeader title="Account" />
        <Panel
          title="Choose how to sign in"
          description="You came by a link that works once. With a password you can come back."
        >
          <CompleteAccountForm />
        </Panel>
      </>
    );
  return (
    <>
      <PageHeader
        title="Account"
        description={`${name}, ${email}${operator ? ', operator' : ''}`}
      />
      {hasPassword ? (
        <Panel title="Change the password" description="Signs out all other browsers.">
          <ChangePasswordForm />
        </Panel>
      ) : (
        <Text>You sign in with your organisation, which also has your password.</Text>
      )}
    </>
  );
}
