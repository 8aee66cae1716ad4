import ipaddr from 'ipaddr.js';

/** One outgoing connection that a page or a webhook asks for, with everything its name resolved to. */
export interface EgressRequest {
  /** Lower case, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

export interface EgressRules {
  /** `host:port` that the operator lets pages and webhooks reach although it is private. */
  readonly egressAllow: readonly string[];
  /** False: the plan has no external network. */
  readonly allowExternalNetwork: boolean;
  /** `host:port` where the document itself is (URL deploys): reachable also on a plan without external network. */
  readonly documentHosts: ReadonlySet<string>;
}

export type EgressDecision =
  | { readonly allowed: true; readonly address: string }
  | { readonly allowed: false; readonly reason: string };

/**
 * Addresses that are routable and yet not public, beyond what ipaddr.js knows:
 * Azure's wire server (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16), and ORCHIDv2, drone
 * ids and other special blocks below 2001::/23 are in its `reserved`.
 */
const privateRanges = [ipaddr.parseCIDR('168.63.129.16/32')];
/** All of IPv6 that is global unicast: what lies outside (NAT64, IPv4-mapped, site-local …) is refused. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** ISATAP puts an IPv4 address into the interface id after these words (RFC 5214). */
const isatapWords = new Set(['0:5efe', '200:5efe']);

/** `host:port` with brackets around IPv6, as `URL.host` writes it but with the port always. */
export const hostAndPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** True for an address that anyone on the internet could reach. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (privateRanges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range)))
    return false;
  if (parsed.kind() === 'ipv4') return true;
  const words = (parsed as ipaddr.IPv6).parts;
  const interfaceId = `${words[4]?.toString(16)}:${words[5]?.toString(16)}`;
  return parsed.match(globalUnicast) && !isatapWords.has(interfaceId);
}

/**
 * The one decision on every connection to the outside. Pure: names are resolved before, and the caller dials exactly
 * the address that comes back, so that a second answer of the resolver cannot change it.
 */
export function decideEgress(request: EgressRequest, rules: EgressRules): EgressDecision {
  const target = hostAndPort(request.host, request.port);
  if (!rules.allowExternalNetwork && !rules.documentHosts.has(target))
    return { allowed: false, reason: 'the plan of this workspace has no external network' };
  const [address] = request.addresses;
  if (!address) return { allowed: false, reason: 'its name does not resolve' };
  if (rules.egressAllow.includes(target)) return { allowed: true, address };
  const refused = request.addresses.find(
    (one) => !isPublicAddress(one) && !rules.egressAllow.includes(hostAndPort(one, request.port)),
  );
  // The address itself stays out of the message: it would tell a page what our resolver knows of the inside.
  if (refused !== undefined)
    return { allowed: false, reason: 'its address is not publicly routable' };
  return { allowed: true, address };
}
