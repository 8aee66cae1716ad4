/** One thing that a process needs before it can serve requests. */
interface ReadinessCheck {
  /** The status that `/readyz` answers when the check fails. */
  readonly failure: string;
  readonly passes: () => Promise<boolean>;
}

export interface ReadinessDependencies {
  readonly isDatabaseReachable: () => Promise<boolean>;
}

export interface Readiness {
  readonly isReady: boolean;
  /** `ready`, or the failure of the first check that fails. */
  readonly status: string;
}

/** The answer of `/healthz` as long as the process runs. */
export const liveness = { status: 'ok' } as const;

/** Temporal and the blob storage are not checked: without them an API process still answers most requests. */
const checksOf = ({ isDatabaseReachable }: ReadinessDependencies): readonly ReadinessCheck[] => [
  { failure: 'database unavailable', passes: isDatabaseReachable },
];

/** Checks whether a process can serve requests now. */
export async function checkReadiness(dependencies: ReadinessDependencies): Promise<Readiness> {
  for (const { failure, passes } of checksOf(dependencies))
    if (!(await passes())) return { isReady: false, status: failure };
  return { isReady: true, status: 'ready' };
}
