import { ChangePasswordForm } from '../components/account/change-password-form.tsx';
import { CompleteAccountForm } from '../components/account/complete-account-form.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Panel } from '../components/panel.tsx';
import { useAccount } from '../layout/account.tsx';

/** Who has signed in, and how the next time. */
export default function AccountPage() {
  const { name, email, operator, hasPassword } = useAccount();
  const description = hasPassword ? `${name}, ${email}${operator ? ', operator' : ''}` : undefined;
  return (
    <>
      <PageHeader title="Account" description={description} />
      {hasPassword ? (
        <Panel title="Change the password" description="Signs out all other browsers.">
          <ChangePasswordForm />
        </Panel>
      ) : (
        <Panel
          title="Choose how to sign in"
          description="You came by a link that works once. With a password you can come back."
        >
          <CompleteAccountForm />
        </Panel>
      )}
    </>
  );
}
