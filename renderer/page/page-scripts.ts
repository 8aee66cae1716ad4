/**
 * Functions that run inside the page, in an isolated world. Each is sent as its source, so it must not use anything from outside
 * itself. A `<form name=images>` hides `document.images` in every world, so properties of a document are read from its prototype.
 */

/** Media of a document that cannot be shown. */
export interface BrokenMedia {
  /** Addresses of files that were loaded, but are not valid images. */
  readonly images: readonly string[];
}

/**
 * Resolves when fonts and images are loaded, in this document and the frames of its origin. With `animations` it also waits until
 * animations have ended, except those that repeat for ever.
 */
export async function waitForMedia({ animations }: { animations: boolean }): Promise<BrokenMedia> {
  const { prototype } = Document;
  const fontsOf = Object.getOwnPropertyDescriptor(prototype, 'fonts')?.get;
  const all = (root: Document, selector: string): Element[] => [
    ...prototype.querySelectorAll.call(root, selector),
  ];
  const withFrames = (root: Document): Document[] => [
    root,
    ...all(root, 'iframe').flatMap((frame) => {
      const inner = (frame as HTMLIFrameElement).contentDocument;
      return inner ? withFrames(inner) : [];
    }),
  ];
  const broken: string[] = [];
  for (const part of withFrames(document)) {
    const images = all(part, 'img') as HTMLImageElement[];
    // Complete images are decoded while they are printed. `decode()` would wait until a frame is drawn (16 ms).
    const incomplete = images.filter((image) => !image.complete || image.naturalWidth === 0);
    const decode = (image: HTMLImageElement): Promise<unknown> =>
      image.decode().catch(() => image.currentSrc && broken.push(image.currentSrc));
    await Promise.all(incomplete.map(decode));
    await (fontsOf?.call(part) as FontFaceSet | undefined)?.ready;
    if (!animations) continue;
    const running = prototype.getAnimations.call(part).filter((animation) => {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      return animation.playState === 'running' && Number.isFinite(Number(endTime));
    });
    await Promise.all(running.map(({ finished }) => finished.catch(() => undefined)));
  }
  return { images: broken };
}

/**
 * Rewrites links into the package so that they begin with `linkBase`. Without a `linkBase` they point to a fragment that does not
 * exist: they keep their look, but are not links in the PDF. Links to a fragment of the same document are kept, because they work
 * inside the PDF.
 *
 * @returns paths of the links that do not work in the PDF; none if there is a `linkBase`
 */
export function rewriteLinks({ linkBase }: { linkBase: string | undefined }): string[] {
  const xlink = 'http://www.w3.org/1999/xlink';
  const nowhere = '#-';
  const { querySelectorAll } = Document.prototype;
  const shadowRootOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')?.get;
  const all = (root: Document | ShadowRoot, selector: string): Element[] => [
    ...(root instanceof ShadowRoot
      ? root.querySelectorAll(selector)
      : querySelectorAll.call(root, selector)),
  ];
  // `URL.hash` is empty for a `#` alone, so the `#` is removed by a pattern.
  const withoutHash = (url: URL): string => url.href.replace(/#.*/, '');
  const roots = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
    root,
    ...all(root, '*').flatMap((element) => {
      const inner: Document | ShadowRoot | null =
        shadowRootOf?.call(element) ??
        (element instanceof HTMLIFrameElement ? element.contentDocument : null);
      return inner ? roots(inner) : [];
    }),
  ];
  const here = new URL(location.href);
  const dropped = new Set<string>();
  for (const root of roots(document)) {
    for (const link of all(root, 'a, area')) {
      const isXlink = !link.hasAttribute('href') && link.hasAttributeNS(xlink, 'href');
      const href = isXlink ? link.getAttributeNS(xlink, 'href') : link.getAttribute('href');
      const url = href === null ? null : URL.parse(href, link.baseURI);
      if (!url || url.origin !== here.origin) continue;
      if (href?.includes('#') && withoutHash(url) === withoutHash(here)) continue;
      if (linkBase === undefined) dropped.add(url.pathname);
      const target =
        linkBase === undefined
          ? nowhere
          : linkBase.replace(/\/$/, '') + url.pathname + url.search + url.hash;
      if (isXlink) link.setAttributeNS(xlink, 'href', target);
      else link.setAttribute('href', target);
    }
  }
  return [...dropped];
}
