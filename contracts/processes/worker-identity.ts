/**
 * The name under which Temporal, its UI and the dashboard show a worker. It contains the capacity of the worker, because Temporal
 * knows only the name of a poller.
 */
export interface WorkerIdentity {
  readonly pid: number;
  readonly host: string;
  /** Most documents that the worker prints at the same time. */
  readonly slots: number;
  /** Most browsers that the worker keeps. */
  readonly browsers: number;
}

/** Formats the name of a worker. */
export const workerIdentity = ({ pid, host, slots, browsers }: WorkerIdentity): string =>
  `${pid}@${host} slots=${slots} browsers=${browsers}`;

/** Parses the name of a worker. @returns undefined for a poller that is not one of our workers */
export function parseWorkerIdentity(identity: string): WorkerIdentity | undefined {
  const match = /^(\d+)@(\S+) slots=(\d+) browsers=(\d+)$/.exec(identity);
  if (!match) return undefined;
  const [, pid, host = '', slots, browsers] = match;
  return { pid: Number(pid), host, slots: Number(slots), browsers: Number(browsers) };
}
