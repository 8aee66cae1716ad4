import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly label: string;
  /** A fact that there is nothing to say of is left out. */
  readonly value: ReactNode | undefined;
}

/** What is known of one thing, by name. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={classes.facts}>
    {facts
      .filter(({ value }) => value !== undefined)
      .map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
