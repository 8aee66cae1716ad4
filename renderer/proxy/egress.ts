import { hostAndPort } from '../../network/egress-policy.ts';
import { type Network, resolveEgress } from '../../network/network.ts';
import type { ProxyJob } from './proxy-job.ts';

/** A page may not reach that host. */
export class EgressDenied extends Error {
  override readonly name = 'EgressDenied';
}

/** Resolves once, checks every address, and returns the one to dial; throws {@link EgressDenied}. */
export async function admitEgress(
  host: string,
  port: number,
  job: ProxyJob,
  network: Network,
): Promise<string> {
  const decision = await resolveEgress(host, port, job.rules, network);
  if (decision.allowed) return decision.address;
  const target = hostAndPort(host, port);
  job.faults.set(target, `It may not be reached: ${decision.reason}.`);
  job.onDenied(target, decision.reason);
  throw new EgressDenied(`${target}: ${decision.reason}`);
}
