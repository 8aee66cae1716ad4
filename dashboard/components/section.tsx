import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a page whose content, such as a table, has a frame and a name of its own. */
export const Section = ({ title, description, actions, children }: SectionProps) => (
  <div>
    <Group justify="space-between" align="flex-end" mb="sm" gap="sm">
      <div>
        <Title order={2}>{title}</Title>
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </div>
      {actions}
    </Group>
    {children}
  </div>
);
