import type { EgressRules } from '../../network/egress-policy.ts';
import type { DocumentAddress } from './document-address.ts';

/** The files of one version. A path is percent-decoded, NFC, without leading slash. */
export interface DocumentFiles {
  has(path: string): boolean;
  /** `undefined`: there is no such file (404). */
  read(path: string): Promise<{ bytes: Uint8Array; mime: string } | undefined>;
}

/** What the proxy needs to know of the job whose browser it serves. */
export interface ProxyJob {
  /** Where the document is: at `http://<jobId>.localhost`, or at the origins of a URL deploy. */
  readonly address: DocumentAddress;
  /** Files of a package; a URL deploy has none and is fetched from its origin. */
  readonly files: DocumentFiles | undefined;
  readonly payload: { readonly mime: string; readonly bytes: Uint8Array };
  readonly rules: EgressRules;
  /** Called once for each `host:port` that was refused. */
  onDenied(target: string, reason: string): void;
  /** A file could not be read although it may exist. */
  onReadError(error: unknown): void;
  /** Why the last connection to a `host:port` failed: names the fault when the document itself does not load. */
  readonly faults: Map<string, string>;
}

/** Path below the document's origin that answers with the job's payload. */
export const payloadPath = '/__payload';
