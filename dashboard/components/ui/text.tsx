import { Anchor, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatDateTime, formatRelative } from '../../formats.ts';
import classes from './text.module.css';

/** Updates often enough for "10s ago" to be about right. */
const refreshMs = 10_000;

/** A time relative to now, such as "3m ago". The tooltip shows the exact time. `at` is Unix ms. */
export function RelativeTime({ at }: { at: number }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), refreshMs, { autoInvoke: true });
  return (
    <Tooltip label={formatDateTime(at)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={new Date(at).toISOString()}>{formatRelative(at, now)}</time>
    </Tooltip>
  );
}

/** A link with a long text, such as a business key, truncated to the available space. */
export const TruncatedLink = ({ to, text }: { to: string; text: string }) => (
  <Anchor component={Link} to={to} className={classes.link ?? ''} title={text}>
    {text}
  </Anchor>
);
