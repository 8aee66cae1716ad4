import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type JobErrorCode, jobErrorCodes } from '../../contracts/errors.ts';
import { type PrintRequest, RenderError, type Renderer } from '../../renderer/renderer.ts';

/**
 * What one attempt of a job does:
 * - `print`: succeeds
 * - `hold`: renders until `release` is called, then succeeds
 * - `storage_fails`: trouble of ours
 * - `worker_lost`: ends as an activity does whose worker died
 * - a code: the document fails with it
 */
export type Step = 'print' | 'hold' | 'storage_fails' | 'worker_lost' | JobErrorCode;

/** A job's payload: its steps, the last of which repeats, and a text that may be found nowhere afterwards. */
export interface Script {
  readonly steps: readonly Step[];
  readonly secret: string;
}

export interface FakeRenderer extends Renderer {
  /** Every print that was asked for, in order. */
  readonly prints: readonly PrintRequest[];
  /** Lets the held print of a job end. */
  release(jobId: string): void;
}

/** The attempt ends as if its worker had died; the rig turns it into what Temporal says then. */
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

/** A renderer that does what the job's payload says: the only place where these suites do not use the real part. */
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
    if (step === 'hold') await held(request);
    return { ...pdfFacts, stored: await store(Readable.from([pdf])), browserMs: 1, timings };
  };

  const holdOf = (jobId: string): PromiseWithResolvers<void> => {
    const hold = holds.get(jobId) ?? Promise.withResolvers<void>();
    holds.set(jobId, hold);
    return hold;
  };

  const held = ({ jobId, signal }: PrintRequest): Promise<void> => {
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
