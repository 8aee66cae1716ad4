import type { CSSProperties } from 'react';
import { type Tone, toneColors } from '../../theme.ts';
import classes from './badge.module.css';

/** The label and the colour of a state. */
export interface StateLook {
  readonly label: string;
  readonly tone: Tone;
}

/** A state as a coloured dot and a word. */
export const Badge = ({ tone, children }: { tone: Tone; children: string }) => (
  <span
    className={classes.badge}
    data-tone={tone}
    style={{ '--tone': toneColors[tone] } as CSSProperties}
  >
    {children}
  </span>
);
