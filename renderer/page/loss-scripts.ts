/**
 * Functions that run inside a page after it was printed, in an isolated world. Each is sent as its source, so it must not use
 * anything from outside itself. After `budgetMs` each returns what it has found so far.
 */

/** Limits of a search in the page. */
interface SearchLimits {
  readonly budgetMs: number;
  /** At most this many characters or elements are returned. */
  readonly maxNamed: number;
}

/**
 * Finds characters in the text of the page that no font has, and returns their code points (such as `U+E000`). A canvas measures
 * them like the empty box.
 */
export function findMissingCharacters({ budgetMs, maxNamed }: SearchLimits): string[] {
  const giveUpAt = performance.now() + budgetMs;
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return [];
  /** Characters that are not drawn, such as spaces. */
  const needsNoGlyph = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}]/u;
  const measured = new Set<string>();
  const missing = new Set<string>();
  const isDone = (): boolean => missing.size >= maxNamed || performance.now() > giveUpAt;
  const measure = (text: string): string => {
    const size = context.measureText(text);
    return [
      size.width,
      size.actualBoundingBoxLeft,
      size.actualBoundingBoxRight,
      size.actualBoundingBoxAscent,
      size.actualBoundingBoxDescent,
    ].join();
  };
  const searchText = (text: string, style: () => CSSStyleDeclaration): void => {
    // Nearly all text contains only characters that every machine has.
    if (!/[^\0-\u024f]/.test(text)) return;
    const { fontStyle, fontWeight, fontFamily } = style();
    const font = `${fontStyle} ${fontWeight} 100px ${fontFamily}`;
    for (const character of text.normalize('NFC')) {
      if (isDone()) return;
      if (character <= '\u024f' || needsNoGlyph.test(character)) continue;
      const key = font + character;
      if (measured.has(key)) continue;
      measured.add(key);
      context.font = font;
      // U+10FFFF will never be a character, so its measure is that of the empty box.
      if (measure(character) !== measure('\u{10ffff}')) continue;
      const code = character.codePointAt(0) ?? 0;
      missing.add(`U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
    }
  };
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.pop(); root && !isDone(); root = roots.pop()) {
    const show = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT;
    const walker = document.createTreeWalker(root, show);
    for (let node = walker.nextNode(); node && !isDone(); node = walker.nextNode()) {
      if (!(node instanceof Element)) {
        const parent = node.parentElement;
        if (parent && !/^(script|style|template)$/i.test(parent.tagName))
          searchText(node.nodeValue ?? '', () => getComputedStyle(parent));
        continue;
      }
      for (const pseudo of ['::before', '::after']) {
        const style = getComputedStyle(node, pseudo);
        if (style.content.startsWith('"')) searchText(style.content, () => style);
      }
      const inner =
        node.shadowRoot ?? (node instanceof HTMLIFrameElement ? node.contentDocument : null);
      if (inner) roots.push(inner);
    }
  }
  return [...missing];
}

/**
 * Finds elements with visible content beyond `widthPx`, those that reach furthest first. Content that the document itself clips does not
 * count, because that is intended.
 */
export function findCutElements({
  widthPx,
  budgetMs,
  maxNamed,
}: SearchLimits & { widthPx: number }): { name: string; overPx: number }[] {
  const giveUpAt = performance.now() + budgetMs;
  const edge = widthPx + 1;
  const over = new Map<Element, number>();
  const replaced = /^(img|svg|canvas|video|input|select|textarea|iframe|object|embed|hr)$/i;

  const isClipped = (element: Element): boolean => {
    for (let up: Element | null = element; up && up !== document.body; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== 'visible' && up.getBoundingClientRect().right <= edge)
        return true;
    return false;
  };
  const isVisible = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const isPainted = (element: Element): boolean => {
    const style = getComputedStyle(element);
    const isBordered = style.borderRightStyle !== 'none' && style.borderRightWidth !== '0px';
    const isFilled = !/^(transparent|rgba\(.*, 0\))$/.test(style.backgroundColor);
    return isBordered || isFilled || style.backgroundImage !== 'none';
  };
  /** Returns the outermost element that is too wide: the table, not each of its cells. */
  const findOutermost = (element: Element): Element => {
    let found = element;
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement)
      if (up.getBoundingClientRect().right > edge) found = up;
    return found;
  };
  const range = document.createRange();
  const show = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT;
  const walker = document.createTreeWalker(document.body, show);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (performance.now() > giveUpAt) break;
    const element = node instanceof Element ? node : node.parentElement;
    if (!element || (node === element && element.closest('svg svg, svg > *'))) continue;
    if (node !== element) range.selectNodeContents(node);
    const box = node === element ? element.getBoundingClientRect() : range.getBoundingClientRect();
    if (box.right <= edge || box.width === 0 || box.height === 0) continue;
    if (node === element && !replaced.test(element.tagName) && !isPainted(element)) continue;
    if (!isVisible(element) || isClipped(element)) continue;
    const named = findOutermost(element);
    over.set(named, Math.max(over.get(named) ?? 0, box.right - widthPx));
  }
  const nameOf = (element: Element): string => {
    const id = element.id && `#${element.id}`;
    const classes = [...element.classList].slice(0, 3).map((name) => `.${name}`);
    return `<${element.localName}${[id, ...classes].join('')}>`.slice(0, 80);
  };
  return [...over]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxNamed)
    .map(([element, overPx]) => ({ name: nameOf(element), overPx: Math.round(overPx) }));
}
