import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../../formats.ts';
import classes from './facts.module.css';

export interface Fact {
  readonly label: string;
  /** A fact with an undefined value is not shown. */
  readonly value: ReactNode | undefined;
}

/** The properties of one thing: labels and values. */
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

/** A few numbers side by side. */
export const Figures = ({ label, children }: { label: string; children: ReactNode }) => (
  <dl className={classes.figures} aria-label={label}>
    {children}
  </dl>
);

interface FigureProps {
  readonly label: string;
  /** Undefined while it loads. */
  readonly value: number | ReactNode | undefined;
}

export const Figure = ({ label, value }: FigureProps) => (
  <div>
    <dt>{label}</dt>
    <dd>
      {value === undefined ? (
        <Skeleton h={20} my={6} w={48} />
      ) : typeof value === 'number' ? (
        formatNumber(value)
      ) : (
        value
      )}
    </dd>
  </div>
);
