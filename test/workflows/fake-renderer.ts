import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type JobErrorCode, jobErrorCodes } from '../../contracts/errors.ts';
import { type PrintRequest, RenderError, type Renderer } from '../../renderer/renderer.ts';

/**
 * The behaviour of one attempt of a job:
 * - `print`: succeeds
 * - `hold`: renders until `release` is called, then succeeds
 * - `storage_fails`: an outage on our side
 * - `worker_lost`: ends like an activity whose worker has died
 * - an error code: fails with this code
 */
export type Step = 'print' | 'hold' | 'storage_fails' | 'worker_lost' | JobErrorCode;

/** The payload of a job: a step for each attempt, of which the last repeats, and a text that must be stored nowhere afterwards. */
export interface Script {
  readonly steps: readonly Step[];
  readonly secret: string;
}

export interface FakeRenderer extends Renderer {
  /** All print requests, in order. */
  readonly prints: readonly PrintRequest[];
  /** Ends the step `hold` of a job. */
  release(jobId: string): void;
}

/** The renderer throws this for the step `worker_lost`. `simulateLostWorkers` makes Temporal see a lost worker. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}

const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
const pdfFacts = {
  bytes: pdf.length,
  pageCount: 1,
  sha256: createHash('sha256').update(pdf).digest('hex'),
};
const timings = { browserMs: 1 };

/** Creates a renderer that does what the job's payload says. It is the only fake part of these suites. */
export function createFakeRenderer(): FakeRenderer {
  const prints: PrintRequest[] = [];
  const holds = new Map<string, PromiseWithResolvers<void>>();

  const print: Renderer['print'] = async (request, store) => {
    const { steps, secret } = JSON.parse(String(Buffer.from(request.payload.bytes))) as Script;
    const earlier = prints.filter(({ jobId }) => jobId === request.jobId).length;
    prints.push(request);
    const step = steps[earlier] ?? steps.at(-1) ?? 'print';
    if (step === 'worker_lost') throw new WorkerLost();
    if (step === 'storage_fails') throw new Error(`The storage does not answer: ${secret}.`);
    if (isErrorCode(step)) throw new RenderError(step, `The document says ${secret}.`, { timings });
    if (step === 'hold') await waitForRelease(request);
    return { ...pdfFacts, stored: await store(Readable.from([pdf])), browserMs: 1, timings };
  };

  const holdOf = (jobId: string): PromiseWithResolvers<void> => {
    const hold = holds.get(jobId) ?? Promise.withResolvers<void>();
    holds.set(jobId, hold);
    return hold;
  };

  const waitForRelease = ({ jobId, signal }: PrintRequest): Promise<void> => {
    const { promise, reject } = holdOf(jobId);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    return promise;
  };

  return {
    chromiumVersion: '0.0.0.0',
    fontSetHash: '',
    prints,
    release: (jobId) => holdOf(jobId).resolve(),
    print,
    stats: () => ({ busySlots: 0, waiting: 0, browsers: 0, launches: 0, kills: 0, recycles: 0 }),
    async [Symbol.asyncDispose]() {},
  };
}

const isErrorCode = (step: Step): step is JobErrorCode =>
  (jobErrorCodes as readonly string[]).includes(step);
