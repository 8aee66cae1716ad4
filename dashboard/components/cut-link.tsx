import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import classes from './cut-link.module.css';

/** A link whose text may be long, such as a business key: cut where there is no room. */
export const CutLink = ({ to, text }: { to: string; text: string }) => (
  <Anchor component={Link} to={to} className={classes.link ?? ''} title={text}>
    {text}
  </Anchor>
);
