import { hostAndPort } from '../../network/egress-policy.ts';
import { hostOf, portOf } from '../../network/url-target.ts';

/** The origins of the document of a job. `/__payload` is answered only there. */
export interface DocumentAddress {
  /** True for an address at one of the origins. */
  isDocumentOrigin(url: URL): boolean;
  /** `host:port` of each origin. */
  readonly hosts: ReadonlySet<string>;
  /** Address that was last requested for the document: the target, or the address that it redirects to. */
  readonly current: URL;
  /** Notes that a request was answered with a redirect. Only redirects of the document count. */
  addRedirect(from: URL, location: string): void;
}

/**
 * Tracks the origins of the document: the origin of the target, and those that it redirects to within the same site. A redirect
 * stays within the site when it goes from http to https, or between `example.com` and `www.example.com`. A redirect from https to
 * http does not, because others could then read the payload on the network.
 */
export function trackDocumentAddress(target: URL): DocumentAddress {
  const origins = new Set<string>();
  const hosts = new Set<string>();
  const add = (url: URL): void => {
    origins.add(url.origin);
    hosts.add(hostAndPort(hostOf(url), portOf(url)));
  };
  add(target);
  let current = target;
  return {
    isDocumentOrigin: (url) => origins.has(url.origin),
    hosts,
    get current() {
      return current;
    },
    addRedirect: (from, location) => {
      if (requestedPart(from) !== requestedPart(current)) return;
      const to = URL.parse(location, from);
      if (!to) return;
      if (isSameSite(current, to) && origins.has(current.origin)) add(to);
      current = to;
    },
  };
}

/** The scheme is left out, because Chromium switches to https by itself for hosts with HSTS. */
const requestedPart = ({ host, pathname, search }: URL): string => host + pathname + search;

const isSameSite = (from: URL, to: URL): boolean =>
  withoutWww(from) === withoutWww(to) &&
  (to.protocol === 'https:' || from.protocol === 'http:') &&
  // The same port or the default port of its scheme. Any other port is another server.
  (to.port === from.port || to.port === '');

const withoutWww = ({ hostname }: URL): string => hostname.replace(/^www\./, '');
