import { Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Alias, aliasName } from '../../../contracts/rest/schemas/aliases.ts';
import { admin, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { FormActions } from '../form-actions.tsx';
import { useNewestVersions } from './use-version-names.ts';

interface SetAliasProps {
  readonly deployId: string;
  /** To move; without one, a new one is named. */
  readonly alias: Alias | undefined;
  readonly onClose: () => void;
}

/** Points an alias at a version, or at whichever is the latest. */
export function SetAlias({ deployId, alias, onClose }: SetAliasProps) {
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
        onSubmit={form.onSubmit((given) => set.mutate({ workspaceId, deployId, ...given }))}
        noValidate
      >
        <Stack>
          {set.error && <ErrorNotice error={set.error} />}
          {!alias && (
            <TextInput
              label="Name"
              description="Such as production or preview; one that there is is moved"
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
