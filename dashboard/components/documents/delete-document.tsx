import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Deploy } from '../../../contracts/rest/schemas/deploys.ts';
import { admin, queryClient } from '../../admin.ts';
import { ConfirmButton } from '../confirm-button.tsx';

export function DeleteDocument({
  deploy: { id: deployId, workspaceId, name },
}: {
  deploy: Deploy;
}) {
  const navigate = useNavigate();
  const remove = useMutation(
    admin.deploys.delete.mutationOptions({
      onSuccess: async () => {
        await navigate(`/${workspaceId}/documents`);
        queryClient.removeQueries({
          queryKey: admin.deploys.get.queryKey({ workspaceId, deployId }),
        });
        await queryClient.invalidateQueries({ queryKey: admin.deploys.list.pathKey() });
      },
    }),
  );
  return (
    <ConfirmButton
      label="Delete document"
      title={`Delete ${name}?`}
      mutation={remove}
      variables={{ workspaceId, deployId }}
    >
      Its versions and aliases go for good, and nothing can be rendered with it any more. Jobs and
      PDFs that there are stay.
    </ConfirmButton>
  );
}
