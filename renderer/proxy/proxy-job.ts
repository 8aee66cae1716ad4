import type { EgressRules } from '../../network/egress-policy.ts';
import type { DocumentAddress } from './document-address.ts';

/** The files of one version. Paths are percent-decoded, in NFC, without a leading slash. */
export interface DocumentFiles {
  has(path: string): boolean;
  /** Resolves with undefined if there is no such file (404). */
  read(path: string): Promise<{ bytes: Uint8Array; mime: string } | undefined>;
}

/** The job that a browser prints now, as its proxy sees it. */
export interface ProxyJob {
  /** Origins of the document: `http://<jobId>.localhost`, or those of a URL deploy. */
  readonly address: DocumentAddress;
  /** Files of a package. Undefined for a URL deploy, which is fetched from its origin. */
  readonly files: DocumentFiles | undefined;
  readonly payload: { readonly mime: string; readonly bytes: Uint8Array };
  readonly rules: EgressRules;
  /** Called for each request to a `host:port` that must not be reached. */
  onDenied(target: string, reason: string): void;
  /** Called when a file could not be read although it may exist. */
  onReadError(error: unknown): void;
  /** By `host:port`, why the last connection that failed has failed. If the document does not load, the error message says this. */
  readonly connectionErrors: Map<string, string>;
}

/** Path at the document's origin that answers with the job's payload. */
export const payloadPath = '/__payload';
