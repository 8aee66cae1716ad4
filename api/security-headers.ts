import type { RequestHandler } from 'express';
import { dayMs, secondMs } from '../contracts/units.ts';
import type { ApiContext } from './context.ts';

interface PolicyOptions {
  /** Origin of signed links. The dashboard shows PDFs in a frame. */
  readonly linkOrigin?: string | undefined;
  /** Nonce of style elements that the page makes itself, as Mantine and CodeMirror do. */
  readonly styleNonce?: string;
}

/** Content security policy of the dashboard and its APIs: allows only our own origin, and PDFs from the origin of signed links. */
export const contentSecurityPolicy = ({ linkOrigin, styleNonce }: PolicyOptions): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styleNonce ? ` 'nonce-${styleNonce}'` : ''}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `frame-src 'self' ${linkOrigin ?? ''}`.trim(),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/** A year, which the preload lists of browsers require. */
const strictTransportSeconds = (365 * dayMs) / secondMs;

/** Sets the security headers of the dashboard, the sign-in and the admin router. */
export const setSecurityHeaders =
  ({ publicUrl, store }: Pick<ApiContext, 'publicUrl' | 'store'>): RequestHandler =>
  (_request, response, next) => {
    response.set({
      'Content-Security-Policy': contentSecurityPolicy(store.blobs),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
    if (publicUrl().startsWith('https:'))
      response.set('Strict-Transport-Security', `max-age=${strictTransportSeconds}`);
    next();
  };
