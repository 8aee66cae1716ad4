import { Button, FileButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { maxReruns } from '../../../contracts/admin/jobs.ts';
import type { RenderJob } from '../../../contracts/rest/schemas/render-jobs.ts';
import { admin, client, queryClient } from '../../admin.ts';
import { useWorkspace } from '../../session.tsx';
import { Badge } from '../ui/badge.tsx';
import {
  canHash,
  hashPayload,
  JsonEditor,
  type ReadJson,
  readPayload,
} from '../ui/json-editor.tsx';
import { ErrorNotice, messageOf, Notice } from '../ui/notice.tsx';
import { JobLink } from './job-list.tsx';
import classes from './rerun-dialog.module.css';

interface RerunDialogProps {
  readonly jobs: readonly RenderJob[];
  readonly onClose: () => void;
}

/**
 * Renders ended jobs again. Their payloads were deleted when they ended, so they are given again: one, or a list of them in
 * any order, for each finds its jobs by its hash.
 */
export function RerunDialog({ jobs, onClose }: RerunDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const [text, setText] = useState('');
  const given = readPayload(text);
  const payloads = usePayloadsByHash(given);
  const ready = jobs.filter(({ payloadHash }) => payloads.has(payloadHash));
  const rerun = useMutation({
    mutationFn: () =>
      rerunJobs(
        workspaceId,
        ready.map(({ id: jobId, payloadHash }) => ({
          jobId,
          rerender: { payload: payloads.get(payloadHash) },
        })),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: admin.jobs.pathKey() }),
  });
  const outcomes = new Map(rerun.data?.map((outcome) => [outcome.jobId, outcome]));
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={jobs.length === 1 ? 'Render again' : `Render ${jobs.length} jobs again`}
    >
      <Stack>
        <Text size="sm">
          Payloads are deleted when a job ends, so give{' '}
          {jobs.length === 1
            ? 'it again, as it was.'
            : 'them again, as they were: one JSON, or a list of them in any order. Each finds its jobs by its hash.'}
        </Text>
        {!canHash && (
          <Notice tone="warning" title="Needs https">
            The browser hashes payloads only on pages that came over https. Open this page over
            https, or send the jobs again by the API.
          </Notice>
        )}
        {canHash && !rerun.data && (
          <>
            <JsonEditor label="Payload as JSON" value={text} onChange={setText} maxHeight="240px" />
            <Group justify="space-between" gap="xs">
              <FileButton
                accept="application/json,.json"
                onChange={(file) => file?.text().then(setText)}
              >
                {(props) => (
                  <Button {...props} size="xs" variant="default">
                    Take it from a file
                  </Button>
                )}
              </FileButton>
              <Text size="sm" role="status" c={given.valid || !text ? 'dimmed' : 'red'}>
                {text &&
                  (given.valid ? `Payloads for ${ready.length} of ${jobs.length}` : given.message)}
              </Text>
            </Group>
          </>
        )}
        <ul className={classes.jobs} aria-label="Jobs to render again">
          {jobs.map((job) => {
            const outcome = outcomes.get(job.id);
            return (
              <li key={job.id}>
                {outcome?.job ? <JobLink {...outcome.job} /> : <span>{job.businessKey}</span>}
                {outcome ? (
                  <Badge tone={outcome.job ? 'good' : 'bad'}>
                    {outcome.error?.message ?? 'Asked for again'}
                  </Badge>
                ) : (
                  <Badge tone={payloads.has(job.payloadHash) ? 'good' : 'waiting'}>
                    {payloads.has(job.payloadHash) ? 'Payload matches' : 'No payload yet'}
                  </Badge>
                )}
              </li>
            );
          })}
        </ul>
        {rerun.error && <ErrorNotice error={rerun.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {rerun.data ? 'Close' : 'Cancel'}
          </Button>
          {!rerun.data && (
            <Button
              disabled={ready.length === 0}
              loading={rerun.isPending}
              onClick={() => rerun.mutate()}
            >
              Render {ready.length === 0 ? '' : `${ready.length} `}again
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** What was given, and where it is a list each of its elements, by hash: a list may be one payload, or several. */
function usePayloadsByHash(given: ReadJson): ReadonlyMap<string, unknown> {
  const [payloads, setPayloads] = useState<ReadonlyMap<string, unknown>>(new Map());
  const text = given.valid && canHash ? JSON.stringify(given.value) : undefined;
  useEffect(() => {
    let isLatest = true;
    const value: unknown = text === undefined ? [] : JSON.parse(text);
    const candidates = text === undefined ? [] : [value, ...(Array.isArray(value) ? value : [])];
    Promise.all(candidates.map(async (one) => [await hashPayload(one), one] as const)).then(
      (entries) => isLatest && setPayloads(new Map(entries)),
    );
    return () => {
      isLatest = false;
    };
  }, [text]);
  return payloads;
}

type Rerun = Parameters<typeof client.jobs.rerun.mutate>[0]['jobs'][number];

/** What became of a job that was to be rendered again: the new job, or why there is none. */
export interface RerunOutcome {
  readonly jobId: string;
  readonly job?: RenderJob;
  readonly error?: { readonly message: string };
}

/** As many at once as the API takes. A call that fails after others succeeded takes nothing from what they answered. */
export async function rerunJobs(
  workspaceId: string,
  jobs: readonly Rerun[],
): Promise<readonly RerunOutcome[]> {
  const outcomes: RerunOutcome[] = [];
  for (let start = 0; start < jobs.length; start += maxReruns) {
    const some = jobs.slice(start, start + maxReruns);
    try {
      outcomes.push(...(await client.jobs.rerun.mutate({ workspaceId, jobs: some })).items);
    } catch (error) {
      if (outcomes.length === 0) throw error;
      const message = messageOf(error);
      outcomes.push(...some.map(({ jobId }) => ({ jobId, error: { message } })));
    }
  }
  return outcomes;
}
