import { Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigationType } from 'react-router';
import classes from './page.module.css';

export const serviceName = 'Document rendering';

export interface PageHeaderProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** The parent page. */
  readonly back?: { readonly to: string; readonly title: string };
  /** Buttons for the whole page. */
  readonly actions?: ReactNode;
  /** Shown beside the title, such as a state. */
  readonly badge?: ReactNode;
}

/** False until the first page is shown. Browsers announce the first page themselves, so it does not take the focus. */
let hasShownPage = false;

/** The header of a page. Sets the title of the browser tab. The heading takes the focus when a navigation opens the page. */
export function PageHeader({ title, description, back, actions, badge }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const navigationType = useNavigationType();
  useEffect(() => {
    // A new filter replaces the history entry. The focus must then stay in the filter.
    if (hasShownPage && navigationType !== 'REPLACE') heading.current?.focus();
    hasShownPage = true;
  }, [navigationType]);
  return (
    <header className={classes.header}>
      <title>{`${title} · ${serviceName}`}</title>
      {back && (
        <Link to={back.to} className={classes.back}>
          <span aria-hidden>←</span> {back.title}
        </Link>
      )}
      <div className={classes.row}>
        <Group gap="sm" className={classes.titles}>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {badge}
        </Group>
        {actions && <Group gap="xs">{actions}</Group>}
      </div>
      {description && (
        <Text c="dimmed" maw={680} component="div" className={classes.description ?? ''}>
          {description}
        </Text>
      )}
    </header>
  );
}

/** Shown while the account, the workspace or the content of a page loads. */
export const PageSkeleton = () => (
  <Stack gap="lg" aria-busy>
    <VisuallyHidden role="status">Loading</VisuallyHidden>
    <Skeleton h={34} w={220} />
    <Skeleton h={320} />
  </Stack>
);
