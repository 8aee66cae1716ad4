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

/** Public addresses of a managed PDF: made, copied, ended. */
export function PermanentLinks({ pdfId }: { pdfId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(
    admin.permanentLinks.list.queryOptions({ workspaceId, pdfId }),
  );
  const onSuccess = () =>
    queryClient.invalidateQueries({ queryKey: admin.permanentLinks.list.pathKey() });
  const create = useMutation(admin.permanentLinks.create.mutationOptions({ onSuccess }));
  const remove = useMutation(admin.permanentLinks.delete.mutationOptions({ onSuccess }));
  const makeLink = () => create.mutate({ workspaceId, pdfId });
  const [ending, setEnding] = useState<PermanentLink>();
  return (
    <Panel
      title="Permanent links"
      description="Whoever has one can read this PDF, until the link or the PDF is deleted."
      actions={
        <Button variant="default" loading={create.isPending} onClick={onFirstClick(makeLink)}>
          Create link
        </Button>
      }
    >
      <Stack gap="xs">
        {error && <ErrorNotice error={error} retry={refetch} />}
        {create.error && <ErrorNotice error={create.error} retry={makeLink} />}
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
                    setEnding(link);
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
        opened={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title="Delete this link?"
        confirmLabel="Delete link"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          ending &&
          remove.mutate(
            { workspaceId, pdfId, linkId: ending.id },
            { onSuccess: () => setEnding(undefined) },
          )
        }
      >
        Whoever has it gets the PDF no more, at once and for good.
      </ConfirmDialog>
    </Panel>
  );
}
