import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { PrintRequest } from '../../renderer/renderer.ts';
import { requestOf, startRenderer } from '../renderer/renderer-fixture.ts';
import { type Printer, printTimeoutMs, readyMark } from './printer.ts';

/** Prints with the service's renderer, as a worker runs it. */
export async function startRendererPrinter({ slots }: { slots: number }): Promise<Printer> {
  const renderer = await startRenderer({
    slots,
    browsers: slots,
    workFolder: join(tmpdir(), `corpus-${process.pid}`),
  });
  return {
    print: async (document, site) => {
      let readyAt: number | undefined;
      const onEvent: PrintRequest['onEvent'] = ({ code, message, createdAt }) => {
        if (code === 'console_error' && message === readyMark) readyAt = createdAt;
      };
      const request = requestOf(
        { type: 'package', route: 'index.html', files: site },
        {
          jobId: site.name,
          payload: { mime: 'application/json', bytes: site.payload },
          pdf: document.print ?? {},
          limits: { renderTimeoutMs: printTimeoutMs, loadTimeoutMs: printTimeoutMs },
          onEvent,
        },
      );
      const begin = performance.now();
      const { stored, timings } = await renderer.print(request, buffer);
      return {
        pdf: stored,
        elapsedMs: performance.now() - begin - (timings.acquireMs ?? 0),
        ...(readyAt !== undefined && { sinceReadyMs: Date.now() - readyAt }),
      };
    },
    [Symbol.asyncDispose]: () => renderer[Symbol.asyncDispose](),
  };
}
