const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'ws:': 80,
  'wss:': 443,
};

/** Returns the port of a URL: its own, or the default port of its scheme. */
export const portOf = (url: URL): number => Number(url.port) || (defaultPorts[url.protocol] ?? 0);

/** Returns the host name of a URL without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
