import { Select } from '@mantine/core';
import { useDocuments } from './use-documents.ts';

interface DocumentSelectProps {
  readonly value: string | undefined;
  readonly onChange: (deployId: string | undefined) => void;
}

/** Filters a list by document. */
export function DocumentSelect({ value, onChange }: DocumentSelectProps) {
  const { items } = useDocuments();
  return (
    <Select
      label="Document"
      placeholder="All"
      clearable
      searchable
      data={items.map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={(deployId) => onChange(deployId ?? undefined)}
    />
  );
}
