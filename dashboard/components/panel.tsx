import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a page. */
export function Panel({ title, description, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <Group justify="space-between" mb="md" gap="sm">
        <div>
          <Title order={2} id={id}>
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
      {children}
    </section>
  );
}
