import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { Invitations, InviteMember } from '../components/people/invitations.tsx';
import { MemberTable } from '../components/people/members.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { useWorkspace } from '../session.tsx';

/** The members of the workspace and the open invitations. */
export default function MembersPage() {
  const { canManage } = useWorkspace();
  const [inviting, dialog] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Members"
        description="Members work with documents and jobs. Owners also manage keys, members, webhooks and the plan."
        actions={
          canManage && (
            <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
              Invite
            </Button>
          )
        }
      />
      <Stack gap="xl">
        <MemberTable />
        {canManage && <Invitations />}
      </Stack>
      <InviteMember opened={inviting} onClose={dialog.close} />
    </>
  );
}
