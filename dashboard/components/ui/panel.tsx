import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

export interface PartHeadProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
}

/** The head of a part of a page; `titleId` is for what is named by it. */
export const PartHead = ({
  title,
  description,
  actions,
  titleId,
}: PartHeadProps & { readonly titleId?: string }) => (
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

/** A titled part of a page whose content, such as a table, has a frame and a name of its own. */
export const Section = ({
  children,
  ...head
}: PartHeadProps & { readonly children: ReactNode }) => (
  <div>
    <PartHead {...head} />
    {children}
  </div>
);
