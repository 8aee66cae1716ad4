import { Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { OutputMode } from '../../../contracts/rest/schemas/outputs.ts';
import { admin, queryClient } from '../../admin.ts';
import { formatBytes } from '../../formats.ts';
import { useWorkspace } from '../../session.tsx';
import { curlCommand } from '../../shell-commands.ts';
import { isOpen, jobQuery } from '../jobs/job-query.ts';
import {
  JobFailure,
  JobWait,
  JobWarnings,
  outputModeLabels,
  StatusBadge,
} from '../jobs/job-state.tsx';
import { PdfPreview } from '../pdfs/pdf-preview.tsx';

import { onFirstClick } from '../ui/buttons.tsx';
import { CodeBlock } from '../ui/copy.tsx';
import { JsonEditor, parsePayload } from '../ui/json-editor.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import classes from './render-now.module.css';

const outputModeChoices = Object.entries(outputModeLabels).map(([value, label]) => ({
  value: value as OutputMode,
  label,
}));

interface RenderNowProps {
  readonly deployId: string;
  /** `latest` renders the latest version. */
  readonly deployVersionId: string;
}

/** An editor for a payload, and beside it the PDF rendered with it. */
export function RenderNow({ deployId, deployVersionId }: RenderNowProps) {
  const { id: workspaceId } = useWorkspace();
  const [text, setText] = useState('{\n  \n}');
  const [outputMode, setOutputMode] = useState<OutputMode>('transient');
  const payload = parsePayload(text);
  const render = useMutation(
    admin.jobs.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: admin.jobs.search.pathKey() }),
    }),
  );
  const job = {
    deployId,
    ...(deployVersionId !== 'latest' && { deployVersionId }),
    ...(payload.valid && { payload: payload.value }),
    ...(outputMode === 'managed' && { outputMode }),
  };
  return (
    <Panel
      title="Render with this payload"
      description="This creates a normal job. It counts as usage and appears in the list of jobs."
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
          <Text size="sm" role="status" c={payload.valid ? 'dimmed' : 'red'}>
            {payload.valid ? `Valid JSON, ${formatBytes(payload.bytes)}` : payload.message}
          </Text>
          <Group justify="space-between" gap="sm">
            <SegmentedControl
              size="xs"
              aria-label="Output mode"
              value={outputMode}
              onChange={setOutputMode}
              data={outputModeChoices}
            />
            <Button
              disabled={!payload.valid}
              loading={render.isPending}
              onClick={onFirstClick(() => render.mutate({ workspaceId, job }))}
            >
              Render
            </Button>
          </Group>
          {render.error && <ErrorNotice error={render.error} />}
          <Text size="sm" c="dimmed">
            The same call from a shell, with an API key in DRS_API_KEY:
          </Text>
          <CodeBlock label="Command that renders this payload">
            {curlCommand('POST', '/render-jobs', job)}
          </CodeBlock>
        </Stack>
        {render.data ? (
          <RenderedJob key={render.data.id} jobId={render.data.id} />
        ) : (
          <div className={classes.placeholder}>The PDF will appear here.</div>
        )}
      </div>
    </Panel>
  );
}

/** The state of the new job, and its PDF when there is one. */
function RenderedJob({ jobId }: { jobId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(jobQuery(workspaceId, jobId));
  if (!data)
    return error ? (
      <ErrorNotice error={error} retry={refetch} />
    ) : (
      <div className={classes.placeholder}>Waiting</div>
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
        <div className={classes.placeholder}>
          {isOpen(job) ? 'The PDF will appear here.' : 'There is no PDF.'}
        </div>
      )}
    </Stack>
  );
}
