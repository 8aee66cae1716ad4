import type { ReportEvent } from './page/page-events.ts';
import type { PrintRequest } from './print-request.ts';
import { trackDocumentAddress } from './proxy/document-address.ts';
import type { ProxyJob } from './proxy/proxy-job.ts';

export interface ProxyJobOptions {
  readonly request: PrintRequest;
  /** Address of the document. */
  readonly url: URL;
  readonly egressAllow: readonly string[];
  readonly report: ReportEvent;
  /** Called when a file of the package could not be read. */
  onReadError(error: unknown): void;
}

/** Creates the description of a print for the proxy of its browser. Each `host:port` that is refused is reported once. */
export function createProxyJob(options: ProxyJobOptions): ProxyJob {
  const { request, url, egressAllow, report, onReadError } = options;
  const { document, payload, allowExternalNetwork } = request;
  const refusedTargets = new Set<string>();
  const isPackage = document.type === 'package';
  const address = trackDocumentAddress(url);
  return {
    address,
    files: isPackage ? document.files : undefined,
    payload,
    rules: {
      egressAllow,
      allowExternalNetwork,
      documentHosts: isPackage ? new Set<string>() : address.hosts,
    },
    onDenied: (target, reason) => {
      if (refusedTargets.has(target)) return;
      refusedTargets.add(target);
      const message = `${target} cannot be reached: ${reason}`;
      report({ level: 'warn', stage: 'page', message, code: 'egress_denied' });
    },
    onReadError,
    connectionErrors: new Map(),
  };
}
