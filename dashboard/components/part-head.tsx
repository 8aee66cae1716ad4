import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

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
