import { Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { OutputMode } from '../../../contracts/rest/schemas/outputs.ts';
import { admin, queryClient } from '../../admin.ts';
import { curl } from '../../curl.ts';
import { formatBytes } from '../../formats.ts';
import { useWorkspace } from '../../layout/workspace.tsx';
import { CodeBlock } from '../code-block.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { jobQuery } from '../jobs/job-query.ts';
import { JobFailure, JobWait, JobWarnings } from '../jobs/job-state.tsx';
import { JsonEditor } from '../json-editor.tsx';
import { readPayload } from '../json-text.ts';
import { onFirstClick } from '../on-first-click.ts';
import { Panel } from '../panel.tsx';
import { PdfPreview } from '../pdfs/pdf-preview.tsx';
import { StatusBadge } from '../status-badge.tsx';
import classes from './render-now.module.css';

interface RenderNowProps {
  readonly deployId: string;
  readonly deployVersionId: string;
}

/** A payload, and beside it the PDF that it makes. */
export function RenderNow({ deployId, deployVersionId }: RenderNowProps) {
  const { id: workspaceId } = useWorkspace();
  const [text, setText] = useState('{\n  \n}');
  const [outputMode, setOutputMode] = useState<OutputMode>('transient');
  const given = readPayload(text);
  const render = useMutation(
    admin.jobs.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: admin.jobs.search.pathKey() }),
    }),
  );
  const job = {
    deployId,
    ...(deployVersionId !== 'latest' && { deployVersionId }),
    ...(given.valid && { payload: given.value }),
    ...(outputMode === 'managed' && { outputMode }),
  };
  return (
    <Panel
      title="Render with this payload"
      description="A job like any other: it counts, and it is in the list."
    >
      <div className={classes.sides}>
        <Stack gap="sm">
          <JsonEditor
            label="Payload as JSON"
            value={text}
            onChange={setText}
            minHeight="280px"
            maxHeight="60vh"
          />
          <Text size="sm" role="status" c={given.valid ? 'dimmed' : 'red'}>
            {given.valid ? `Valid JSON, ${formatBytes(given.bytes)}` : given.message}
          </Text>
          <Group justify="space-between" gap="sm">
            <SegmentedControl
              size="xs"
              aria-label="What becomes of the PDF"
              value={outputMode}
              onChange={setOutputMode}
              data={[
                { value: 'transient', label: 'Transient' },
                { value: 'managed', label: 'Keep the PDF' },
              ]}
            />
            <Button
              disabled={!given.valid}
              loading={render.isPending}
              onClick={onFirstClick(() => render.mutate({ workspaceId, job }))}
            >
              Render
            </Button>
          </Group>
          {render.error && <ErrorNotice error={render.error} />}
          <Text size="sm" c="dimmed">
            The same from a shell, with an API key in DRS_API_KEY:
          </Text>
          <CodeBlock label="Command that renders this payload">
            {curl('POST', '/render-jobs', job)}
          </CodeBlock>
        </Stack>
        {render.data ? (
          <RenderedJob key={render.data.id} jobId={render.data.id} />
        ) : (
          <div className={classes.nothing}>The PDF will be here.</div>
        )}
      </div>
    </Panel>
  );
}

/** How the job goes that was asked for, and its PDF once there is one. */
function RenderedJob({ jobId }: { jobId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(jobQuery(workspaceId, jobId));
  if (!data)
    return error ? (
      <ErrorNotice error={error} retry={refetch} />
    ) : (
      <div className={classes.nothing}>Waiting</div>
    );
  const { job, output, progress } = data;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <span role="status">
          <StatusBadge status={job.status} />
        </span>
        <Anchor component={Link} to={`/${workspaceId}/jobs/${jobId}`} size="sm">
          Open the job
        </Anchor>
      </Group>
      {error && <ErrorNotice error={error} retry={refetch} />}
      <JobFailure job={job} />
      <JobWait progress={progress} />
      <JobWarnings {...data} />
      {output?.state === 'available' ? (
        <PdfPreview source={{ jobId }} title={`PDF of ${job.businessKey}`} />
      ) : (
        <div className={classes.nothing}>
          {job.status === 'failed' || job.status === 'canceled'
            ? 'There is no PDF.'
            : 'The PDF will be here.'}
        </div>
      )}
    </Stack>
  );
}
