import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Deploy } from '../../../contracts/schemas/deploys.ts';
import { admin, queryClient } from '../../admin.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';

export function DeleteDocument({
  deploy: { id: deployId, workspaceId, name },
}: {
  deploy: Deploy;
}) {
  const [opened, { open, close }] = useDisclosure();
  const navigate = useNavigate();
  const remove = useMutation(
    admin.deploys.delete.mutationOptions({
      onSuccess: async () => {
        await navigate(`/${workspaceId}/documents`);
        await queryClient.invalidateQueries({ queryKey: admin.deploys.list.pathKey() });
      },
    }),
  );
  return (
    <>
      <Button variant="default" onClick={open}>
        Delete document
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={`Delete ${name}?`}
        confirmLabel="Delete document"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ workspaceId, deployId })}
      >
        Its versions and aliases go for good, and nothing can be rendered with it any more. Jobs and
        PDFs that there are stay.
      </ConfirmDialog>
    </>
  );
}
