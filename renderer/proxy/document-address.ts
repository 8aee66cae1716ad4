import { hostAndPort } from '../../network/egress-policy.ts';
import { hostOf, portOf } from '../../network/url-target.ts';

/** Where the document of a job is: `/__payload` is answered there and nowhere else. */
export interface DocumentAddress {
  /** True for an address at an origin of the document. */
  isHome(url: URL): boolean;
  /** `host:port` of each of its origins. */
  readonly hosts: ReadonlySet<string>;
  /** Where the document was last looked for: the target, or what it redirects to. */
  readonly current: URL;
  /** Notes that a request was answered with a redirect. */
  redirected(from: URL, location: string): void;
}

/**
 * The origin of the target, and those that it redirects to where the same site answers: from http to https, and between
 * `example.com` and `www.example.com`. Never from https to http, where others could read along.
 */
export function followAddress(target: URL): DocumentAddress {
  const homes = new Set<string>();
  const hosts = new Set<string>();
  const add = (url: URL): void => {
    homes.add(url.origin);
    hosts.add(hostAndPort(hostOf(url), portOf(url)));
  };
  add(target);
  let current = target;
  return {
    isHome: (url) => homes.has(url.origin),
    hosts,
    get current() {
      return current;
    },
    redirected: (from, location) => {
      if (requestedPart(from) !== requestedPart(current)) return;
      const to = URL.parse(location, from);
      if (!to) return;
      if (isHomeStill(current, to) && homes.has(current.origin)) add(to);
      current = to;
    },
  };
}

/** Without the scheme, because Chromium goes to https by itself for hosts with HSTS. */
const requestedPart = ({ host, pathname, search }: URL): string => host + pathname + search;

const isHomeStill = (from: URL, to: URL): boolean =>
  withoutWww(from) === withoutWww(to) &&
  (to.protocol === 'https:' || from.protocol === 'http:') &&
  // The same port, or that of its scheme: another port is another server.
  (to.port === from.port || to.port === '');

const withoutWww = ({ hostname }: URL): string => hostname.replace(/^www\./, '');
