import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconCopyOff } from '@tabler/icons-react';
import classes from './copy.module.css';

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

/** An id, a hash or an address on one line, cut where there is no room; the button copies all of it. */
export const Copyable = ({ value, label }: { value: string; label: string }) => (
  <span className={classes.copyable}>
    <code title={value}>{value}</code>
    <CopyButton value={value} label={`Copy ${label}`} />
  </span>
);

/** Text to copy: a command, a key. `label` says what it is. */
export const CodeBlock = ({ label, children }: { label: string; children: string }) => (
  <div className={classes.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by the keyboard too. */}
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
