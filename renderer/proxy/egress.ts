import { ADDRCONFIG } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { decideEgress, hostAndPort } from './egress-policy.ts';
import type { ProxyJob } from './proxy-job.ts';

/** What reaches out of the process: replaced in tests, so that no test sends a packet to a forbidden place. */
export interface Network {
  /** Every address of a name; rejects when it has none. */
  resolve(host: string): Promise<readonly string[]>;
  dial(address: string, port: number): Socket;
}

export const systemNetwork: Network = {
  resolve: async (host) => {
    // ADDRCONFIG: no IPv6 address on a machine that cannot reach it.
    // IPv4 first: only one address is dialled, and that is the one that works nearly everywhere.
    const found = await lookup(host, { all: true, hints: ADDRCONFIG, order: 'ipv4first' });
    return found.map(({ address }) => address);
  },
  dial: (address, port) => connect({ host: address, port, noDelay: true }),
};

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
  const target = hostAndPort(host, port);
  // A plan without network must not even be able to ask the resolver: names carry data too.
  const mayResolve = job.rules.allowExternalNetwork || target === job.rules.documentHost;
  const addresses = mayResolve ? await resolveOnce(host, network) : [];
  const decision = decideEgress({ host, port, addresses }, job.rules);
  if (decision.allowed) return decision.address;
  job.faults.set(target, `It may not be reached: ${decision.reason}.`);
  job.onDenied(target, decision.reason);
  throw new EgressDenied(`${target}: ${decision.reason}`);
}

async function resolveOnce(host: string, network: Network): Promise<readonly string[]> {
  if (isIP(host)) return [host];
  return await network.resolve(host).catch(() => []);
}
