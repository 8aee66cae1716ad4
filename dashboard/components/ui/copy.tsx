import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconCopyOff } from '@tabler/icons-react';
import classes from './copy.module.css';

/** A button that copies `value`. `label` names the button for screen readers. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { copied, error, copy } = useClipboard();
  // Copying fails if the browser gives the page no clipboard, for example over plain http.
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

/** An id, a hash or an address on one line, truncated to the available space. The button copies the full value. */
export const Copyable = ({ value, label }: { value: string; label: string }) => (
  <span className={classes.copyable}>
    <code title={value}>{value}</code>
    <CopyButton value={value} label={`Copy ${label}`} />
  </span>
);

/** Text to copy, such as a command or a key. `label` says what it is. */
export const CodeBlock = ({ label, children }: { label: string; children: string }) => (
  <div className={classes.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll sideways. */}
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
    <div className={classes.copy}>
      <CopyButton value={children} label={`Copy: ${label}`} />
    </div>
  </div>
);
