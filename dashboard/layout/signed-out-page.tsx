import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader, serviceName } from '../components/ui/page.tsx';
import classes from './signed-out-page.module.css';

interface EntranceProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** Stands around the pages of whoever has not signed in yet. */
export const Entrance = ({ title, description, children }: EntranceProps) => (
  <div className={classes.entrance}>
    <main className={classes.sheet}>
      <p className={classes.brand}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={28} height={28} />
        {serviceName}
      </p>
      <PageHeader title={title} description={description} />
      {children}
    </main>
    <Text component="footer" size="sm" c="dimmed">
      Every document rendered once, and each explained.
    </Text>
  </div>
);
