import { Button, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import {
  deployCommands,
  environmentCommand,
  fetchPdfCommands,
  renderCommand,
} from '../../shell-commands.ts';
import { CreateApiKey } from '../keys/create-api-key.tsx';
import { CodeBlock } from '../ui/copy.tsx';
import classes from './first-steps.module.css';

/** Finds the newest job. The first steps are shown while the workspace has none. */
export const newestJobInput = (workspaceId: string) => ({ workspaceId, limit: 1 });

/** How often the page looks for a document and a job while the user runs the commands in a terminal. */
const refreshMs = 3_000;

/** The steps from an empty workspace to a PDF. The commands work as they are copied, one after another. */
export function FirstSteps() {
  const { id: workspaceId, canManage } = useWorkspace();
  const [creating, dialog] = useDisclosure();
  const { data: deploys } = useQuery({
    ...admin.deploys.list.queryOptions({ workspaceId, limit: 1 }),
    refetchInterval: refreshMs,
  });
  const deploy = deploys?.items[0];
  // Refetches the query of the overview, which replaces these steps once there is a job. This must not happen while the dialog is
  // open, because the dialog shows the key only once.
  useQuery({
    ...admin.jobs.search.queryOptions(newestJobInput(workspaceId)),
    refetchInterval: creating ? false : refreshMs,
  });
  return (
    <>
      <Text c="dimmed" mb="xl" maw={620}>
        Nothing has been rendered here yet. These four steps create the first PDF. They need a shell
        with curl.
      </Text>
      <ol className={classes.steps}>
        <Step title="Get a key">
          <Text>
            {canManage
              ? 'Programs call the API with a key of this workspace.'
              : 'Ask an owner of this workspace for an API key.'}
          </Text>
          {canManage && (
            <Button onClick={dialog.open} variant="default">
              Create a key
            </Button>
          )}
          <CodeBlock label="Command that sets the address and the key">
            {environmentCommand('drs_…')}
          </CodeBlock>
        </Step>
        <Step title="Deploy a document" isDone={deploy !== undefined}>
          <Text>
            A document is a folder that a browser can show. This one is a single page that prints
            the name in its payload.
          </Text>
          <CodeBlock label="Commands that deploy a document">{deployCommands}</CodeBlock>
        </Step>
        <Step title="Render it">
          <Text>Each job ends exactly once: it succeeds, fails or is canceled.</Text>
          <CodeBlock label="Commands that render the document">
            {renderCommand(deploy?.id)}
          </CodeBlock>
        </Step>
        <Step title="Fetch the PDF">
          <CodeBlock label="Commands that fetch the PDF">{fetchPdfCommands}</CodeBlock>
        </Step>
      </ol>
      <CreateApiKey opened={creating} onClose={dialog.close} />
    </>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone?: boolean;
  readonly children: ReactNode;
}

const Step = ({ title, isDone = false, children }: StepProps) => (
  <li className={classes.step} data-done={isDone || undefined}>
    <Title order={2}>
      {title}
      {isDone && ' – done'}
    </Title>
    {children}
  </li>
);
