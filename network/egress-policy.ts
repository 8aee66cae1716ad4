import ipaddr from 'ipaddr.js';

/** One outgoing connection that a page or a webhook asks for, with all addresses that its host resolved to. */
export interface EgressRequest {
  /** Lower case, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

export interface EgressRules {
  /** Each `host:port` that the operator lets pages and webhooks reach although its address is private. */
  readonly egressAllow: readonly string[];
  /** False if the plan has no external network. */
  readonly allowExternalNetwork: boolean;
  /** `host:port` of the document itself (URL deploys). It is reachable also on a plan without external network. */
  readonly documentHosts: ReadonlySet<string>;
}

export type EgressDecision =
  | { readonly allowed: true; readonly address: string }
  | { readonly allowed: false; readonly reason: string };

/**
 * Addresses that are routable but not public, and that ipaddr.js does not know: Azure's wire server
 * (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16). ORCHIDv2, drone ids and other special
 * blocks below 2001::/23 need no entry: ipaddr.js has them in `reserved`.
 */
const privateRanges = [ipaddr.parseCIDR('168.63.129.16/32')];
/** The global unicast addresses of IPv6. All others (NAT64, IPv4-mapped, site-local …) are refused. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** ISATAP puts an IPv4 address after these words of the interface id (RFC 5214). */
const isatapWords = new Set(['0:5efe', '200:5efe']);

/** Formats `host:port` like `URL.host`, with brackets around IPv6, but always with the port. */
export const hostAndPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** True for an address that is reachable from the whole internet. */
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
 * Decides whether a connection to the outside is allowed. Every connection is decided here. The function is pure: the caller
 * resolves the name first, and dials exactly the returned address, so that a second answer of the resolver cannot change it.
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
  // The message does not contain the address, because a page could learn from it how internal names resolve.
  if (refused !== undefined)
    return { allowed: false, reason: 'its address is not publicly routable' };
  return { allowed: true, address };
}
