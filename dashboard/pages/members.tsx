import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { Invitations } from '../components/members/invitations.tsx';
import { InviteMember } from '../components/members/invite-member.tsx';
import { MemberTable } from '../components/members/member-table.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { useWorkspace } from '../layout/workspace.tsx';

/** People of the workspace, and those who are asked to join. */
export default function MembersPage() {
  const { canManage } = useWorkspace();
  const [inviting, dialog] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Members"
        description="Members do the daily work; owners also have keys, members, webhooks and the plan."
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
