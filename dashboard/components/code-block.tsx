import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

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
