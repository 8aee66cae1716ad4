import type { PrintSettings } from '../../contracts/processes/print-settings.ts';

/** Options of a version that hold for a whole browser, because Chromium takes them when it starts. */
export type BrowserSettings = Pick<PrintSettings, 'pointer' | 'fontHinting' | 'genericFonts'>;

export const browserSettings = ({
  pointer,
  fontHinting,
  genericFonts,
}: BrowserSettings): BrowserSettings => ({ pointer, fontHinting, genericFonts });

/** What the flags of one browser depend on. */
export interface ChromiumFlagOptions {
  readonly settings: BrowserSettings;
  readonly profileFolder: string;
  readonly proxyPort: number;
  readonly spkiHash: string;
  readonly sandbox: boolean;
}

/** Nothing but the documents: no updates, accounts, telemetry, first-run pages or crash uploads. */
const quiet = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-pings',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** A page that nobody looks at must run as fast as one that is looked at, and always print the same. */
const printing = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  // Nobody sees the frames: the smaller the window, the less is drawn. Pages see the size that open-page.ts gives them.
  '--window-size=16,16',
  '--force-color-profile=srgb',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-back-forward-cache',
  // Pop-ups would load pages that nobody prints.
  '--block-new-web-contents',
  // /dev/shm is 64 MB in a container: larger pages would crash.
  '--disable-dev-shm-usage',
];

/** Ways around the proxy, closed. With `page.route` alone 12 ways reached a forbidden host; with these settings none. */
const oneDoor = [
  // Loopback would otherwise bypass the proxy.
  '--proxy-bypass-list=<-loopback>',
  // Chromium resolves no name itself, so that no DNS packet leaves either.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // The same policy under its two names: of the headless shell and of full Chromium.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
];

const disabledFeatures = [
  // Documents at http:// origins must stay there.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  // Would contact Google.
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'Translate',
  // Keeps the first paint of a navigation back.
  'PaintHolding',
];

/** Images below the fold are printed too. Made eager by a script instead, one lazy image holds printing up for 2 s [measured]. */
const eagerImages = 'lazyLoadEnabled=false';
/** A mouse, as Playwright has it: without one, media queries show what is meant for touch screens. */
const mouse =
  'primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';

const settingsFlags = ({ pointer, fontHinting }: BrowserSettings): string[] => [
  `--blink-settings=${[eagerImages, ...(pointer === 'mouse' ? [mouse] : [])].join()}`,
  `--font-render-hinting=${fontHinting}`,
];

/** The command line of one browser. */
export function chromiumFlags(options: ChromiumFlagOptions): string[] {
  return [
    ...quiet,
    ...printing,
    ...settingsFlags(options.settings),
    ...oneDoor,
    `--disable-features=${disabledFeatures.join(',')}`,
    `--proxy-server=http://127.0.0.1:${options.proxyPort}`,
    `--ignore-certificate-errors-spki-list=${options.spkiHash}`,
    `--user-data-dir=${options.profileFolder}`,
    '--remote-debugging-pipe',
    ...(options.sandbox ? [] : ['--no-sandbox']),
  ];
}
