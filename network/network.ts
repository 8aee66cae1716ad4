import { ADDRCONFIG } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import {
  decideEgress,
  type EgressDecision,
  type EgressRules,
  hostAndPort,
} from './egress-policy.ts';

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

/** Resolves once and decides; the caller dials the address that comes back, and no other. */
export async function resolveEgress(
  host: string,
  port: number,
  rules: EgressRules,
  network: Network,
): Promise<EgressDecision> {
  // A plan without network must not even be able to ask the resolver: names carry data too.
  const mayResolve = rules.allowExternalNetwork || rules.documentHosts.has(hostAndPort(host, port));
  const addresses = mayResolve ? await resolveOnce(host, network) : [];
  return decideEgress({ host, port, addresses }, rules);
}

async function resolveOnce(host: string, network: Network): Promise<readonly string[]> {
  if (isIP(host)) return [host];
  return await network.resolve(host).catch(() => []);
}
