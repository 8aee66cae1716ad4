import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';
import { PartHead, type PartHeadProps } from './part-head.tsx';

/** A titled part of a page. */
export function Panel({ children, ...head }: PartHeadProps & { readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <PartHead {...head} titleId={id} />
      {children}
    </section>
  );
}
