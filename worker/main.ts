import { loadConfig } from '../config/config.ts';
import { createLog } from '../runtime/log.ts';
import { runProcess } from '../runtime/run-process.ts';
import { startWorker } from './worker.ts';

await runProcess((stopping) => {
  const config = loadConfig();
  return startWorker(config, createLog(config.logLevel, 'worker'), stopping);
});
