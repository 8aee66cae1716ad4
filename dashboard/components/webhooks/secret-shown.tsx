import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../code-block.tsx';
import { Notice } from '../notice.tsx';

/** The secret with which a receiver verifies what it gets. */
export const SecretShown = ({ secret, children }: { secret: string; children: ReactNode }) => (
  <Stack role="status">
    <Notice tone="warning">{children}</Notice>
    <CodeBlock label="Signing secret">{secret}</CodeBlock>
  </Stack>
);
