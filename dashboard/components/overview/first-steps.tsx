import { Button, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { admin } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import {
  deployCommands,
  environmentCommand,
  fetchCommands,
  renderCommand,
} from '../../shell-commands.ts';
import { CreateApiKey } from '../keys/create-api-key.tsx';
import { CodeBlock } from '../ui/copy.tsx';
import classes from './first-steps.module.css';

/** What tells an empty workspace from one that has begun. */
export const firstJob = (workspaceId: string) => ({ workspaceId, limit: 1 });

/** The document and the job are looked for while their commands are typed elsewhere. */
const refreshMs = 3_000;

/** From nothing to a PDF, in a terminal. The commands are complete: they work as they are copied, one after another. */
export function FirstSteps() {
  const { id: workspaceId, canManage } = useWorkspace();
  const [creating, dialog] = useDisclosure();
  const { data: deploys } = useQuery({
    ...admin.deploys.list.queryOptions({ workspaceId, limit: 1 }),
    refetchInterval: refreshMs,
  });
  const deploy = deploys?.items[0];
  // The page looks at the same answer and goes on once there is a job; never from under a key that is shown once.
  useQuery({
    ...admin.jobs.search.queryOptions(firstJob(workspaceId)),
    refetchInterval: creating ? false : refreshMs,
  });
  return (
    <>
      <Text c="dimmed" mb="xl" maw={620}>
        Nothing has been rendered here yet. Four steps lead to the first PDF; all they need is a
        shell with curl.
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
          <CodeBlock label="Command that says where and by which key">
            {environmentCommand('drs_…')}
          </CodeBlock>
        </Step>
        <Step title="Deploy a document" isDone={deploy !== undefined}>
          <Text>
            A document is a folder that a browser can show. This one is a single page that greets
            whomever its payload names.
          </Text>
          <CodeBlock label="Commands that deploy a document">{deployCommands}</CodeBlock>
        </Step>
        <Step title="Render it">
          <Text>Every job is accepted once and runs to exactly one end.</Text>
          <CodeBlock label="Commands that render the document">
            {renderCommand(deploy?.id)}
          </CodeBlock>
        </Step>
        <Step title="Fetch the PDF">
          <CodeBlock label="Commands that fetch the PDF">{fetchCommands}</CodeBlock>
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
