import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

/** JSON lines on standard output. What is logged names things by id; contents, tokens and links have no place here. */
export const createLog = (level: Config['logLevel'], process: string): Logger =>
  pino({
    level,
    base: { process },
    // Errors of the storage client carry the whole request, with its signature.
    serializers: {
      err: ({ name, message, code, stack, cause }: Error & { code?: unknown }) => ({
        name,
        message,
        code,
        stack,
        cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined,
      }),
    },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
