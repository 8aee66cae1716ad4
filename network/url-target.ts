const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'ws:': 80,
  'wss:': 443,
};

/** Port of a URL, given or by its scheme. */
export const portOf = (url: URL): number => Number(url.port) || (defaultPorts[url.protocol] ?? 0);

/** Host name of a URL without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
