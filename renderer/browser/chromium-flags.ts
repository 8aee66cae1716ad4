import type { PrintSettings } from '../../contracts/processes/print-settings.ts';

/**
 * Options of a version that all pages of a browser share. `pointer` and `fontHinting` are flags of Chromium. `genericFonts` is set
 * in each blank page before its job is known.
 */
export type BrowserSettings = Pick<PrintSettings, 'pointer' | 'fontHinting' | 'genericFonts'>;

/** Picks the browser settings from print settings. */
export const pickBrowserSettings = ({
  pointer,
  fontHinting,
  genericFonts,
}: BrowserSettings): BrowserSettings => ({ pointer, fontHinting, genericFonts });

export interface ChromiumFlagOptions {
  readonly settings: BrowserSettings;
  readonly profileFolder: string;
  readonly proxyPort: number;
  readonly spkiHash: string;
  readonly sandbox: boolean;
}

/** Turns off all work that is not for the documents: updates, accounts, telemetry, first-run pages, crash uploads. */
const noBackgroundWorkFlags = [
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

/** With these flags a hidden page runs as fast as a visible one, and always prints the same. */
const printFlags = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  // A small window costs less drawing, and nobody sees its frames. Pages see the size that open-page.ts sets.
  '--window-size=16,16',
  '--force-color-profile=srgb',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-back-forward-cache',
  // Pop-ups would load pages that are not printed.
  '--block-new-web-contents',
  // /dev/shm has 64 MB in a container, so larger pages would crash.
  '--disable-dev-shm-usage',
];

/** Closes all ways around the proxy. With Playwright's `page.route` alone, 12 ways reached a forbidden host; with these flags none did. */
const proxyOnlyFlags = [
  // Without this flag, loopback addresses bypass the proxy.
  '--proxy-bypass-list=<-loopback>',
  // The proxy resolves all names. Chromium resolves none, so it sends no DNS packets.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // The same policy, as the headless shell and as full Chromium name it.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
];

const disabledFeatures = [
  // Documents at http:// origins must not be moved to https.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  // These features would contact Google.
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'Translate',
  // Delays the first paint after a navigation.
  'PaintHolding',
];

/**
 * Loads lazy images at once, because images below the fold are printed too. If a script made them eager instead, one lazy image
 * would delay printing by 2 s [measured].
 */
const eagerImages = 'lazyLoadEnabled=false';
/** A mouse, as in Playwright. Without one, media queries select the styles for touch screens. */
const mouse =
  'primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';

/** The flags that depend on the settings. The first also has `eagerImages`, because Chromium takes all Blink settings in one flag. */
const settingsFlags = ({ pointer, fontHinting }: BrowserSettings): string[] => [
  `--blink-settings=${[eagerImages, ...(pointer === 'mouse' ? [mouse] : [])].join()}`,
  `--font-render-hinting=${fontHinting}`,
];

/** Returns the command line of one browser. */
export function chromiumFlags(options: ChromiumFlagOptions): string[] {
  return [
    ...noBackgroundWorkFlags,
    ...printFlags,
    ...settingsFlags(options.settings),
    ...proxyOnlyFlags,
    `--disable-features=${disabledFeatures.join(',')}`,
    `--proxy-server=http://127.0.0.1:${options.proxyPort}`,
    `--ignore-certificate-errors-spki-list=${options.spkiHash}`,
    `--user-data-dir=${options.profileFolder}`,
    '--remote-debugging-pipe',
    ...(options.sandbox ? [] : ['--no-sandbox']),
  ];
}
