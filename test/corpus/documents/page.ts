interface PageParts {
  readonly title?: string;
  readonly lang?: string;
  /** Addresses of scripts, in the order in which they run. */
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly css?: string;
  readonly body?: string;
  /** Runs after `scripts`, at the end of the body. */
  readonly script?: string;
  /** Like `script`, but a module. */
  readonly module?: string;
  /** Added at the end of the head. */
  readonly head?: string;
}

/** Writes the page of a document, as its author would. */
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

/** Returns a script that runs `build`, in which `data` is the payload. `renderReady` is the promise that it ends. */
export const withRenderReady = (build: string): string => `
window.renderReady = (async () => {
  const data = await (await fetch('/__payload')).json();
  ${build}
})();`;

/** The same script, but it does not define `renderReady`. */
export const withoutRenderReady = (build: string): string => `
(async () => {
  const data = await (await fetch('/__payload')).json();
  ${build}
})();`;
