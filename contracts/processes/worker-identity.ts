/**
 * The name under which Temporal, its UI and the dashboard show a worker: who it is and what it can do at once, because Temporal
 * knows no more of a poller than its name.
 */
export interface WorkerIdentity {
  readonly pid: number;
  readonly host: string;
  /** Documents that it prints at once. */
  readonly slots: number;
  /** Browsers that it keeps at most. */
  readonly browsers: number;
}

export const workerIdentity = ({ pid, host, slots, browsers }: WorkerIdentity): string =>
  `${pid}@${host} slots=${slots} browsers=${browsers}`;

/** What the name says; undefined for a poller that is none of our workers. */
export function parseWorkerIdentity(identity: string): WorkerIdentity | undefined {
  const match = /^(\d+)@(\S+) slots=(\d+) browsers=(\d+)$/.exec(identity);
  if (!match) return undefined;
  const [, pid, host = '', slots, browsers] = match;
  return { pid: Number(pid), host, slots: Number(slots), browsers: Number(browsers) };
}
