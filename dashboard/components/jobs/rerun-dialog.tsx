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
  type PayloadResult,
  parsePayload,
} from '../ui/json-editor.tsx';
import { ErrorNotice, messageOf, Notice } from '../ui/notice.tsx';
import { TruncatedLink } from '../ui/text.tsx';
import classes from './rerun-dialog.module.css';

interface RerunDialogProps {
  readonly jobs: readonly RenderJob[];
  readonly onClose: () => void;
}

/**
 * Renders ended jobs again. Their payloads were deleted when they ended, so the user provides them again: one payload, or a list
 * of them in any order. The dialog finds the jobs of each payload by its hash.
 */
export function RerunDialog({ jobs, onClose }: RerunDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const [text, setText] = useState('');
  const parsed = parsePayload(text);
  const payloads = usePayloadsByHash(parsed);
  const matchedJobs = jobs.filter(({ payloadHash }) => payloads.has(payloadHash));
  const rerun = useMutation({
    mutationFn: () =>
      rerunJobs(
        workspaceId,
        matchedJobs.map(({ id: jobId, payloadHash }) => ({
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
          Payloads are deleted when a job ends.{' '}
          {jobs.length === 1
            ? 'Provide the same payload again.'
            : 'Provide the same payloads again: one JSON value, or a list of them in any order. Each is matched to its jobs by its hash.'}
        </Text>
        {!canHash && (
          <Notice tone="warning" title="Needs https">
            Browsers can hash payloads only on pages served over https. Open this page over https,
            or create the jobs again through the API.
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
                    Load from a file
                  </Button>
                )}
              </FileButton>
              <Text size="sm" role="status" c={parsed.valid || !text ? 'dimmed' : 'red'}>
                {text &&
                  (parsed.valid
                    ? `Payloads for ${matchedJobs.length} of ${jobs.length}`
                    : parsed.message)}
              </Text>
            </Group>
          </>
        )}
        <ul className={classes.jobs} aria-label="Jobs to render again">
          {jobs.map((job) => {
            const outcome = outcomes.get(job.id);
            return (
              <li key={job.id}>
                {outcome?.job ? (
                  <TruncatedLink
                    to={`/${workspaceId}/jobs/${outcome.job.id}`}
                    text={outcome.job.businessKey}
                  />
                ) : (
                  <span>{job.businessKey}</span>
                )}
                {outcome ? (
                  <Badge tone={outcome.job ? 'good' : 'bad'}>
                    {outcome.error?.message ?? 'Job created'}
                  </Badge>
                ) : (
                  <Badge tone={payloads.has(job.payloadHash) ? 'good' : 'neutral'}>
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
              disabled={matchedJobs.length === 0}
              loading={rerun.isPending}
              onClick={() => rerun.mutate()}
            >
              Render {matchedJobs.length === 0 ? '' : `${matchedJobs.length} `}again
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Maps hashes to payloads: the whole value and, if it is a list, also each element. A list can be one payload or several. */
function usePayloadsByHash(parsed: PayloadResult): ReadonlyMap<string, unknown> {
  const [payloads, setPayloads] = useState<ReadonlyMap<string, unknown>>(new Map());
  const text = parsed.valid && canHash ? JSON.stringify(parsed.value) : undefined;
  useEffect(() => {
    let isLatest = true;
    const value: unknown = text === undefined ? [] : JSON.parse(text);
    const candidates = text === undefined ? [] : [value, ...(Array.isArray(value) ? value : [])];
    Promise.all(
      candidates.map(async (payload) => [await hashPayload(payload), payload] as const),
    ).then((entries) => isLatest && setPayloads(new Map(entries)));
    return () => {
      isLatest = false;
    };
  }, [text]);
  return payloads;
}

/** The old job and the payload to render it with. */
type Rerun = Parameters<typeof client.jobs.rerun.mutate>[0]['jobs'][number];

/** `jobId` is the old job, `job` the new one. `error` says why there is no new job. */
interface RerunOutcome {
  readonly jobId: string;
  readonly job?: RenderJob;
  readonly error?: { readonly message: string };
}

/**
 * Renders jobs again, in batches of the largest size that the API accepts. Throws if the first batch fails. If a later batch fails,
 * its jobs get the error and the earlier outcomes are kept.
 */
async function rerunJobs(
  workspaceId: string,
  jobs: readonly Rerun[],
): Promise<readonly RerunOutcome[]> {
  const outcomes: RerunOutcome[] = [];
  for (let start = 0; start < jobs.length; start += maxReruns) {
    const batch = jobs.slice(start, start + maxReruns);
    try {
      outcomes.push(...(await client.jobs.rerun.mutate({ workspaceId, jobs: batch })).items);
    } catch (error) {
      if (outcomes.length === 0) throw error;
      const message = messageOf(error);
      outcomes.push(...batch.map(({ jobId }) => ({ jobId, error: { message } })));
    }
  }
  return outcomes;
}
