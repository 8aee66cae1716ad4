import { ActionIcon, Button, Group, Modal, Select, Stack, TextInput, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Alias, aliasName } from '../../../contracts/rest/schemas/aliases.ts';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import { curlCommand } from '../../shell-commands.ts';
import { ConfirmDialog, FormActions } from '../ui/buttons.tsx';
import { DataTable, rowsOfList } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { UnframedPanel } from '../ui/panel.tsx';
import { RelativeTime } from '../ui/text.tsx';
import { useNewestVersions, useVersionNames } from './versions.tsx';

interface AliasesProps {
  readonly deployId: string;
  readonly list: UseQueryResult<{ items: Alias[] }, unknown>;
}

/** The aliases of a document. Callers that render by an alias need no change when it moves to another version. */
export function Aliases({ deployId, list }: AliasesProps) {
  const nameOf = useVersionNames(deployId);
  /** The alias that the dialog moves, or `new`. Undefined while the dialog is closed. */
  const [editing, setEditing] = useState<Alias | 'new'>();
  const [deleting, setDeleting] = useState<Alias>();
  return (
    <UnframedPanel
      title="Aliases"
      description="A job that names an alias renders the version that it points at."
      actions={
        <Button variant="default" onClick={() => setEditing('new')}>
          Set an alias
        </Button>
      }
    >
      <DataTable
        caption="Aliases"
        columns={[
          { header: 'Alias', cell: ({ alias }) => <code>{alias}</code> },
          { header: 'Version', cell: ({ deployVersionId }) => nameOf(deployVersionId) },
          {
            header: 'Set',
            align: 'end',
            cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
          },
          {
            header: 'Actions',
            headerHidden: true,
            align: 'end',
            cell: (row) => (
              <AliasButtons
                alias={row.alias}
                onMove={() => setEditing(row)}
                onDelete={() => setDeleting(row)}
              />
            ),
          },
        ]}
        rowKey={({ alias }) => alias}
        empty={
          <EmptyState
            title="No aliases"
            command={curlCommand('POST', `/deploys/${deployId}/aliases/production`, {
              deployVersionId: 'latest',
            })}
          >
            Jobs that name no version render the latest one. An alias, such as production, points at
            the same version until it is moved.
          </EmptyState>
        }
        {...rowsOfList(list)}
      />
      {editing && (
        <SetAlias
          deployId={deployId}
          alias={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      <DeleteAlias
        deployId={deployId}
        alias={deleting?.alias}
        onClose={() => setDeleting(undefined)}
      />
    </UnframedPanel>
  );
}

interface AliasButtonsProps {
  readonly alias: string;
  readonly onMove: () => void;
  readonly onDelete: () => void;
}

const AliasButtons = ({ alias, onMove, onDelete }: AliasButtonsProps) => (
  <Group gap={4} justify="flex-end" wrap="nowrap">
    <Tooltip label="Move">
      <ActionIcon variant="subtle" color="gray" aria-label={`Move ${alias}`} onClick={onMove}>
        <IconPencil size={16} />
      </ActionIcon>
    </Tooltip>
    <Tooltip label="Delete">
      <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${alias}`} onClick={onDelete}>
        <IconTrash size={16} />
      </ActionIcon>
    </Tooltip>
  </Group>
);

interface DeleteAliasProps {
  readonly deployId: string;
  /** The dialog is open while this is defined. */
  readonly alias: string | undefined;
  readonly onClose: () => void;
}

function DeleteAlias({ deployId, alias, onClose }: DeleteAliasProps) {
  const { id: workspaceId } = useWorkspace();
  const remove = useMutation(
    admin.aliases.delete.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: admin.aliases.list.pathKey() });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened={alias !== undefined}
      onClose={onClose}
      title={`Delete the alias ${alias ?? ''}?`}
      confirmLabel="Delete alias"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => alias !== undefined && remove.mutate({ workspaceId, deployId, alias })}
    >
      New jobs that name it are refused. Existing jobs keep their version.
    </ConfirmDialog>
  );
}

interface SetAliasProps {
  readonly deployId: string;
  /** The alias to move. Undefined to create one. */
  readonly alias: Alias | undefined;
  readonly onClose: () => void;
}

/** A dialog that points an alias at a version, or always at the latest one. */
function SetAlias({ deployId, alias, onClose }: SetAliasProps) {
  const { id: workspaceId } = useWorkspace();
  const versions = useNewestVersions(deployId);
  const form = useForm({
    initialValues: {
      alias: alias?.alias ?? '',
      deployVersionId: alias?.deployVersionId ?? 'latest',
    },
    validate: {
      alias: (name) => aliasName.safeParse(name).error?.issues[0]?.message ?? null,
    },
  });
  const set = useMutation(
    admin.aliases.set.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: admin.aliases.list.pathKey() });
        onClose();
      },
    }),
  );
  return (
    <Modal opened onClose={onClose} title={alias ? `Move ${alias.alias}` : 'Set an alias'}>
      <form
        onSubmit={form.onSubmit((values) => set.mutate({ workspaceId, deployId, ...values }))}
        noValidate
      >
        <Stack>
          {set.error && <ErrorNotice error={set.error} />}
          {!alias && (
            <TextInput
              label="Name"
              description="Such as production or preview. An existing alias is moved."
              data-autofocus
              {...form.getInputProps('alias')}
            />
          )}
          <Select
            label="Version"
            allowDeselect={false}
            searchable
            data={[
              { value: 'latest', label: 'Always the latest' },
              ...versions.map(({ id, displayId, title }) => ({
                value: id,
                label: `${displayId} · ${title}`,
              })),
            ]}
            {...form.getInputProps('deployVersionId')}
          />
          <FormActions
            submitLabel={alias ? 'Move' : 'Set'}
            isPending={set.isPending}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
