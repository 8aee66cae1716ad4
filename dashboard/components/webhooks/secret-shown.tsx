import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../code-block.tsx';

/** The secret with which a receiver verifies what it gets. */
export const SecretShown = ({ secret, children }: { secret: string; children: ReactNode }) => (
  <Stack role="status">
    <Alert color="yellow">{children}</Alert>
    <CodeBlock label="Signing secret">{secret}</CodeBlock>
  </Stack>
);
