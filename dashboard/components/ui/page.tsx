import { Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigationType } from 'react-router';
import classes from './page.module.css';

export const serviceName = 'Document rendering';

export interface PageHeaderProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** The page above this one. */
  readonly back?: { readonly to: string; readonly title: string };
  /** Buttons of the whole page. */
  readonly actions?: ReactNode;
  /** Beside the title, such as a state. */
  readonly badge?: ReactNode;
}

/** True from the first page that is shown on: that one is announced by the browser itself. */
let shownOne = false;

/** The head of each page: its title, also that of the browser's tab, which takes the focus when one gets here by a link. */
export function PageHeader({ title, description, back, actions, badge }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const arrivedBy = useNavigationType();
  useEffect(() => {
    // A change of the query, such as a filter, replaces the entry: the focus stays where it is.
    if (shownOne && arrivedBy !== 'REPLACE') heading.current?.focus();
    shownOne = true;
  }, [arrivedBy]);
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

/** Holds the place of a page whose reader, workspace or content is not known yet. */
export const PageSkeleton = () => (
  <Stack gap="lg" aria-busy>
    <VisuallyHidden role="status">Loading</VisuallyHidden>
    <Skeleton h={34} w={220} />
    <Skeleton h={320} />
  </Stack>
);
