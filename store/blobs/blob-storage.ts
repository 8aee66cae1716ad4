import type { Readable } from 'node:stream';

/** How a signed link answers, and how long it works. */
export interface LinkOptions {
  /** The name under which a browser saves the file: any text, also outside of ASCII. */
  readonly fileName: string;
  /** The link answers with this type, not with the type that the blob was stored with. */
  readonly contentType: string;
  readonly disposition: 'attachment' | 'inline';
  /** Unix ms, a whole second: signatures have no smaller unit. */
  readonly expiresAt: number;
  /** When the lifetime of the link starts, Unix ms. */
  readonly now: number;
}

/**
 * Stores files under keys. Each provider has one implementation; docs/blob-storage.md says what a further one takes.
 *
 * Every method throws `BlobStorageUnavailable` when the storage does not answer or asks to slow down: the same call can
 * succeed later. Without a configured storage, every method except `prepare` throws ServiceError `storage_unavailable`. Other
 * errors of the storage are faults of ours or of the configuration, and are thrown as they are.
 */
export interface BlobStorage {
  /** Origin of the links, for the Content-Security-Policy of the dashboard; undefined only if no storage is configured. */
  readonly linkOrigin: string | undefined;

  /** Creates the container if it is missing. Many processes may call it at once. */
  prepare(): Promise<void>;

  /**
   * Stores a stream and replaces what was there. The write is atomic: when the source fails, the key keeps what it had, and
   * the error of the source is thrown as it is. Nothing of ours reads the content type back: links name their own.
   */
  write(key: string, source: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;

  /**
   * Reads a blob, or `count` of its bytes from `offset` on. The stream fails with the errors of this interface, too.
   *
   * @throws BlobNotFound
   */
  read(key: string, range?: { offset: number; count: number }): Promise<Readable>;

  /** Deletes a blob. A missing one is no error. */
  delete(key: string): Promise<void>;

  exists(key: string): Promise<boolean>;

  /**
   * Creates a link by which anybody can read this one blob until `expiresAt` (REST 2.12). It does not check that the blob
   * exists.
   */
  createLink(key: string, options: LinkOptions): Promise<string>;
}
