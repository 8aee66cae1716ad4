/** The nonce that the API put into this page: only style elements that carry it apply. */
export const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Mantine's dialogs lock scrolling by react-remove-scroll, whose style element looks for it here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
