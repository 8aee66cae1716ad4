import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconCopyOff } from '@tabler/icons-react';

/** `label` says what is copied, for whoever does not see what it stands beside. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { copied, error, copy } = useClipboard();
  // Such as over plain http, where browsers lend pages no clipboard.
  const result = error ? 'Select and copy' : copied ? 'Copied' : '';
  return (
    <>
      <Tooltip label={result || 'Copy'}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => copy(value)}>
          {error ? (
            <IconCopyOff size={16} />
          ) : copied ? (
            <IconCheck size={16} />
          ) : (
            <IconCopy size={16} />
          )}
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{result}</VisuallyHidden>
    </>
  );
}
