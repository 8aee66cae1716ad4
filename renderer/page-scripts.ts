/**
 * Functions that run inside the page: each is sent as its own source, so it may use nothing from outside itself.
 * They run in the document's own world, because that is where `window.renderReady` lives.
 */

/** Resolves when fonts and images are there, in this document and the frames of its origin. */
export async function settle(): Promise<void> {
  const withFrames = (root: Document): Document[] => [
    root,
    ...[...root.querySelectorAll('iframe')].flatMap((frame) =>
      frame.contentDocument ? withFrames(frame.contentDocument) : [],
    ),
  ];
  for (const part of withFrames(document)) {
    // An image that is complete is decoded while it is printed; `decode()` would wait for a frame to be drawn (16 ms).
    const pending = [...part.images].filter((image) => !image.complete);
    // A broken image is printed as a browser shows it.
    await Promise.all(pending.map((image) => image.decode().catch(() => undefined)));
    await part.fonts.ready;
  }
}

/** Waits for the promise that the document defines, if it does; rejects as it rejects. */
export async function waitForRenderReady(): Promise<void> {
  const { renderReady } = window as { renderReady?: unknown };
  await (typeof renderReady === 'function' ? renderReady() : renderReady);
}

/**
 * Points links into the package to `linkBase`; without one they lose their address and are printed as plain text.
 * Links to a fragment of the same document stay: they work inside the PDF.
 */
export function rewriteLinks({ linkBase }: { linkBase: string | undefined }): void {
  const xlink = 'http://www.w3.org/1999/xlink';
  const withoutHash = (url: URL): string => url.href.slice(0, url.href.length - url.hash.length);
  const roots = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
    root,
    ...[...root.querySelectorAll('*')].flatMap((element) => {
      const inner =
        element.shadowRoot ??
        (element instanceof HTMLIFrameElement ? element.contentDocument : null);
      return inner ? roots(inner) : [];
    }),
  ];
  const here = new URL(location.href);
  for (const root of roots(document)) {
    for (const link of root.querySelectorAll('a, area')) {
      const isXlink = !link.hasAttribute('href') && link.hasAttributeNS(xlink, 'href');
      const given = isXlink ? link.getAttributeNS(xlink, 'href') : link.getAttribute('href');
      const url = given === null ? null : URL.parse(given, link.baseURI);
      if (!url || url.origin !== here.origin) continue;
      if (given?.includes('#') && withoutHash(url) === withoutHash(here)) continue;
      link.removeAttributeNS(isXlink ? xlink : null, 'href');
      if (linkBase === undefined) continue;
      const target = linkBase.replace(/\/$/, '') + url.pathname + url.search + url.hash;
      link.setAttribute('href', target);
    }
  }
}
