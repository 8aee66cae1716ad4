import { ADDRCONFIG } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import {
  decideEgress,
  type EgressDecision,
  type EgressRules,
  hostAndPort,
} from './egress-policy.ts';

/** Name resolution and outgoing connections. Tests replace it, so that no test sends packets to a forbidden address. */
export interface Network {
  /** Resolves with every address of a name. Rejects if it has none. */
  resolve(host: string): Promise<readonly string[]>;
  /** Opens a TCP connection to an address. */
  dial(address: string, port: number): Socket;
}

/** The network of the operating system. */
export const systemNetwork: Network = {
  resolve: async (host) => {
    // ADDRCONFIG leaves out IPv6 addresses on a machine without IPv6.
    // IPv4 comes first, because only one address is dialled and IPv4 works nearly everywhere.
    const found = await lookup(host, { all: true, hints: ADDRCONFIG, order: 'ipv4first' });
    return found.map(({ address }) => address);
  },
  dial: (address, port) => connect({ host: address, port, noDelay: true }),
};

/** Resolves a host once and decides about the connection. The caller must dial the returned address and no other. */
export async function resolveEgress(
  host: string,
  port: number,
  rules: EgressRules,
  network: Network,
): Promise<EgressDecision> {
  // On a plan without network the name is not even resolved, because a page can send data in a name.
  const mayResolve = rules.allowExternalNetwork || rules.documentHosts.has(hostAndPort(host, port));
  const addresses = mayResolve ? await resolveOnce(host, network) : [];
  return decideEgress({ host, port, addresses }, rules);
}

async function resolveOnce(host: string, network: Network): Promise<readonly string[]> {
  if (isIP(host)) return [host];
  return await network.resolve(host).catch(() => []);
}
