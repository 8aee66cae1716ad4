import { ActionIcon, Button, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PermanentLink } from '../../../contracts/rest/schemas/pdfs.ts';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import { ConfirmDialog, onFirstClick } from '../ui/buttons.tsx';
import { Copyable } from '../ui/copy.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { RelativeTime } from '../ui/text.tsx';
import classes from './permanent-links.module.css';

/** Creates, shows and deletes the permanent links of a managed PDF. */
export function PermanentLinks({ pdfId }: { pdfId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(
    admin.permanentLinks.list.queryOptions({ workspaceId, pdfId }),
  );
  const onSuccess = () =>
    queryClient.invalidateQueries({ queryKey: admin.permanentLinks.list.pathKey() });
  const create = useMutation(admin.permanentLinks.create.mutationOptions({ onSuccess }));
  const remove = useMutation(admin.permanentLinks.delete.mutationOptions({ onSuccess }));
  const createLink = () => create.mutate({ workspaceId, pdfId });
  const [deleting, setDeleting] = useState<PermanentLink>();
  return (
    <Panel
      title="Permanent links"
      description="Anyone with the link can read this PDF until the link or the PDF is deleted."
      actions={
        <Button variant="default" loading={create.isPending} onClick={onFirstClick(createLink)}>
          Create link
        </Button>
      }
    >
      <Stack gap="xs">
        {error && <ErrorNotice error={error} retry={refetch} />}
        {create.error && <ErrorNotice error={create.error} retry={createLink} />}
        {data?.items.length === 0 && (
          <Text size="sm" c="dimmed">
            None yet.
          </Text>
        )}
        <ul className={classes.links} aria-label="Permanent links">
          {data?.items.map((link) => (
            <li key={link.id}>
              <Copyable value={link.url} label="the permanent link" />
              <span className={classes.end}>
                <RelativeTime at={link.createdAt} />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label="Delete the permanent link"
                  onClick={() => {
                    remove.reset();
                    setDeleting(link);
                  }}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </span>
            </li>
          ))}
        </ul>
      </Stack>
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title="Delete this link?"
        confirmLabel="Delete link"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          deleting &&
          remove.mutate(
            { workspaceId, pdfId, linkId: deleting.id },
            { onSuccess: () => setDeleting(undefined) },
          )
        }
      >
        The link stops working at once, for good.
      </ConfirmDialog>
    </Panel>
  );
}
