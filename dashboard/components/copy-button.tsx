import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** `label` says what is copied, for whoever does not see what it stands beside. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { copied, copy } = useClipboard();
  return (
    <>
      <Tooltip label={copied ? 'Copied' : 'Copy'}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => copy(value)}>
          {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </>
  );
}
