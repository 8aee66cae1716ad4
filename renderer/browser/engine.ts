import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { CdpPipe } from '../cdp/cdp-pipe.ts';
import type { BlankPage } from '../page/open-page.ts';

/**
 * Drives a Chromium that was started: opens its pages and prints them. All else is the same for every engine: how Chromium is
 * started, contained and ended (launch-browser.ts), and how a page is prepared and followed (open-page.ts).
 */
export interface Engine {
  /** Takes the pipe for itself. */
  connect(pipe: CdpPipe, options: ConnectOptions): Promise<EngineConnection>;
  /** The Chromium that comes with the engine, where it is installed. */
  findChromium(): string | undefined;
}

interface ConnectOptions {
  /** For files of the engine; removed with the browser. */
  readonly folder: string;
}

export interface EngineConnection {
  readonly cdp: CdpConnection;
  openBlankPage(): Promise<BlankPage>;
}
