import type { RequestHandler } from 'express';
import { dayMs, secondMs } from '../contracts/units.ts';
import type { ApiContext } from './context.ts';

interface PolicyOptions {
  /** Where signed links lead: PDFs are shown in a frame. */
  readonly linkOrigin?: string | undefined;
  /** Style elements that the page itself makes, as Mantine and CodeMirror do, carry it. */
  readonly styleNonce?: string;
}

/** For the page that people use and what it calls: nothing is run, shown or sent but what is ours, and PDFs by their links. */
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

/** A year, as browsers' preload lists ask for. */
const strictTransportSeconds = (365 * dayMs) / secondMs;

/** Headers of the dashboard, its sign-in, and the admin router. */
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
