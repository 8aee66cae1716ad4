import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { CdpPipe } from '../cdp/cdp-pipe.ts';
import type { BlankPage } from '../page/open-page.ts';

/**
 * Drives a running Chromium: opens its pages and prints them. Everything else is the same for every engine: how Chromium is
 * started, contained and ended (launch-browser.ts), and how a page is prepared and observed (open-page.ts).
 */
export interface Engine {
  /** Connects to Chromium. The pipe belongs to the engine from then on. */
  connect(pipe: CdpPipe, options: ConnectOptions): Promise<EngineConnection>;
  /** Returns the path of the Chromium that comes with the engine; undefined if there is none. */
  findChromium(): string | undefined;
}

interface ConnectOptions {
  /** Folder for files of the engine. It is removed with the browser. */
  readonly folder: string;
}

/** A Chromium that the engine drives. It has no `close`: it ends with its process (launch-browser.ts). */
export interface EngineConnection {
  readonly cdp: CdpConnection;
  openBlankPage(): Promise<BlankPage>;
}
