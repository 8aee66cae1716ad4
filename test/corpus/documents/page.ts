interface PageParts {
  readonly title?: string;
  readonly lang?: string;
  /** Addresses of scripts, in running order. */
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly css?: string;
  readonly body?: string;
  /** Runs after `scripts`, at the end of the body. */
  readonly script?: string;
  /** The same, but as a module. */
  readonly module?: string;
  /** HTML at the end of the head. */
  readonly head?: string;
}

/** The HTML of a page, as authors write it. */
export function page(parts: PageParts): string {
  const { title = 'Document', lang = 'en', scripts = [], styles = [], css, script, module } = parts;
  return [
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>`,
    ...styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    css ? `<style>${css}</style>` : '',
    parts.head ?? '',
    '</head><body>',
    parts.body ?? '',
    ...scripts.map((src) => `<script src="${src}"></script>`),
    script ? `<script>${script}</script>` : '',
    module ? `<script type="module">${module}</script>` : '',
    '</body></html>',
  ].join('\n');
}

/** Defines `renderReady` as authors do: as a promise that runs `build` with the payload. */
export const readyWhen = (build: string): string => `
window.renderReady = (async () => {
  const data = await (await fetch('/__payload')).json();
  ${build}
})();`;

/** The same page without `renderReady`. */
export const onItsOwn = (build: string): string => `
(async () => {
  const data = await (await fetch('/__payload')).json();
  ${build}
})();`;
