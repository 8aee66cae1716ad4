import type { PrintSettings } from '../../contracts/processes/print-settings.ts';
import { CdpError, type CdpSession } from '../cdp/cdp-connection.ts';
import { RenderError } from '../render-error.ts';

/**
 * Sets the medium, language and time zone of the version before the first script of the document runs. Most versions set none of
 * them, and then nothing is sent.
 *
 * @param userAgent user agent of the browser: Chromium sets the language only together with a user agent
 * @throws RenderError `render_failed` when Chromium does not support the locale or time zone
 */
export async function emulate(
  page: CdpSession,
  { media, locale, timezone }: PrintSettings,
  userAgent: string,
): Promise<void> {
  await Promise.all([
    media !== 'screen-then-print' && page.send('Emulation.setEmulatedMedia', { media }),
    locale &&
      page.send('Emulation.setLocaleOverride', { locale }).catch(rejectOption(`locale ${locale}`)),
    locale && page.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: locale }),
    timezone &&
      page
        .send('Emulation.setTimezoneOverride', { timezoneId: timezone })
        .catch(rejectOption(`timezone ${timezone}`)),
  ]);
}

/** Chromium has its own lists, which may lack a value that the schema accepts. */
const rejectOption = (option: string) => (error: unknown) => {
  if (!(error instanceof CdpError)) throw error;
  const message = `Chromium does not support the ${option} of this version: commit a version with another one.`;
  throw new RenderError('render_failed', message, { cause: error });
};
