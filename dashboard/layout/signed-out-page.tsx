import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader, serviceName } from '../components/ui/page.tsx';
import classes from './signed-out-page.module.css';

interface SignedOutPageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** The frame around pages for users who have not signed in. */
export const SignedOutPage = ({ title, description, children }: SignedOutPageProps) => (
  <div className={classes.page}>
    <main className={classes.sheet}>
      <p className={classes.brand}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={28} height={28} />
        {serviceName}
      </p>
      <PageHeader title={title} description={description} />
      {children}
    </main>
    <Text component="footer" size="sm" c="dimmed">
      Renders web documents to PDF.
    </Text>
  </div>
);
