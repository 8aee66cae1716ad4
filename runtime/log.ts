import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

/** Creates a log that writes JSON lines to standard output. Log ids only, never contents, tokens or links. */
export const createLog = (level: Config['logLevel'], process: string): Logger =>
  pino({
    level,
    base: { process },
    // An error of the storage client has the whole request as a property, with its signature. So only these fields are logged.
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
