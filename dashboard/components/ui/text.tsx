import { Anchor, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatExact, formatRelative } from '../../formats.ts';
import classes from './text.module.css';

/** Often enough for "10 s ago" to be nearly true. */
const refreshMs = 10_000;

/** How long ago, or until when; the exact time shows on hover and focus, and is in `datetime`. `at` is Unix ms. */
export function RelativeTime({ at }: { at: number }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), refreshMs, { autoInvoke: true });
  return (
    <Tooltip label={formatExact(at)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={new Date(at).toISOString()}>{formatRelative(at, now)}</time>
    </Tooltip>
  );
}

/** A link whose text may be long, such as a business key: cut where there is no room. */
export const CutLink = ({ to, text }: { to: string; text: string }) => (
  <Anchor component={Link} to={to} className={classes.link ?? ''} title={text}>
    {text}
  </Anchor>
);
