import { hostAndPort } from '../../network/egress-policy.ts';
import { type Network, resolveEgress } from '../../network/network.ts';
import type { ProxyJob } from './proxy-job.ts';

/** The page must not reach this host, or the name of the host does not resolve. */
export class EgressDenied extends Error {
  override readonly name = 'EgressDenied';
}

/**
 * Resolves a host once, checks every address, and returns the one to dial.
 *
 * @throws EgressDenied when the host must not be reached or does not resolve. The refusal is also reported to the job
 */
export async function admitEgress(
  host: string,
  port: number,
  job: ProxyJob,
  network: Network,
): Promise<string> {
  const decision = await resolveEgress(host, port, job.rules, network);
  if (decision.allowed) return decision.address;
  const target = hostAndPort(host, port);
  job.connectionErrors.set(target, `It cannot be reached: ${decision.reason}.`);
  job.onDenied(target, decision.reason);
  throw new EgressDenied(`${target}: ${decision.reason}`);
}
