import { CopyButton } from './copy-button.tsx';
import classes from './copyable.module.css';

/** An id, a hash or an address on one line, cut where there is no room; the button copies all of it. */
export const Copyable = ({ value, label }: { value: string; label: string }) => (
  <span className={classes.copyable}>
    <code title={value}>{value}</code>
    <CopyButton value={value} label={`Copy ${label}`} />
  </span>
);
