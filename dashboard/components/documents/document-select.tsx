import { Select } from '@mantine/core';
import { useDocuments } from './use-documents.ts';

interface DocumentSelectProps {
  readonly value: string | undefined;
  readonly onChange: (deployId: string | undefined) => void;
}

/** Narrows a list to what was made with one document. */
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
