import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

export interface HeaderProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
}

/** `titleId` becomes the id of the heading, for `aria-labelledby`. */
const Header = ({
  title,
  description,
  actions,
  titleId,
}: HeaderProps & { readonly titleId?: string }) => (
  <Group justify="space-between" mb="md" gap="sm">
    <div>
      <Title order={2} {...(titleId && { id: titleId })}>
        {title}
      </Title>
      {description && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
    </div>
    {actions}
  </Group>
);

/** A part of a page with a title and a frame. */
export function Panel({ children, ...header }: HeaderProps & { readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <Header {...header} titleId={id} />
      {children}
    </section>
  );
}

/** Like `Panel`, but without a frame: its content, such as a table, has its own frame and name. */
export const UnframedPanel = ({
  children,
  ...header
}: HeaderProps & { readonly children: ReactNode }) => (
  <div>
    <Header {...header} />
    {children}
  </div>
);
