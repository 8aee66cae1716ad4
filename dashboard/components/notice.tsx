import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  readonly tone: 'info' | 'warning' | 'bad';
  readonly title?: ReactNode;
  readonly children: ReactNode;
}

/** Something about the page's one thing that is to be seen first. */
export const Notice = ({ tone, title, children }: NoticeProps) => (
  <div className={classes.notice} data-tone={tone}>
    {title && <p className={classes.title}>{title}</p>}
    {children}
  </div>
);
