import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/** Longer than between two keys. */
const typingMs = 300;

interface BusinessKeyInputProps {
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Applies once the typing pauses; follows the address where that changes by itself. */
export function BusinessKeyInput({ value = '', onChange }: BusinessKeyInputProps) {
  const [text, setText] = useState(value);
  const apply = useDebouncedCallback(onChange, typingMs);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      label="Business key"
      placeholder="The whole key"
      value={text}
      maxLength={255}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value);
      }}
    />
  );
}
