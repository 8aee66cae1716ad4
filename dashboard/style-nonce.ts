/** The nonce that the API wrote into this page. The content security policy allows only style elements that have it. */
export const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Mantine's dialogs lock scrolling by react-remove-scroll, which reads the nonce of its style element from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
