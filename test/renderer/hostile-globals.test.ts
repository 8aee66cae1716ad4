import { expect } from 'chai';
import type { Renderer } from '../../renderer/renderer.ts';
import {
  consoleErrors,
  packageOf,
  page,
  print,
  startRenderer,
  warningsOf,
} from './renderer-fixture.ts';

describe('a document that replaces functions and names of the browser', function () {
  this.timeout(30_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ slots: 1, browsers: 1 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  const ready = `window.renderReady = fetch('/__payload').then(() => console.error('ready'));`;
  const documents: Readonly<Record<string, string>> = {
    'top-level constants': `<script>const URL = 'x', Set = 1, location_ = 2, Promise_ = 3, Map = 4, Element = 5, Document = 6; ${ready}</script>`,
    'forms that hide members of the document': `<form name="images"></form><form name="fonts"></form>
      <form name="querySelectorAll"></form><form name="body"></form><form name="getAnimations"></form>
      <form><input name="shadowRoot"><input name="hasAttribute"></form><script>${ready}</script>`,
    'changed prototypes': `<script>${ready}
      for (const prototype of [Array.prototype, Promise.prototype, Set.prototype, Map.prototype, String.prototype, Document.prototype, Element.prototype])
        for (const name of ['map', 'flatMap', 'filter', 'then', 'catch', 'add', 'get', 'querySelectorAll', 'getAttribute', Symbol.iterator])
          if (name in prototype) Object.defineProperty(prototype, name, { value() { throw new Error('changed') } });
      </script>`,
    'replaced constructors': `<script>${ready} for (const name of ['URL', 'Set', 'Map', 'Array', 'Object', 'JSON', 'NodeFilter', 'Range', 'Element', 'Document', 'HTMLIFrameElement'])
      window[name] = class { constructor() { throw new Error('replaced') } };</script>`,
    'getters that throw': `<script>${ready}
      Object.defineProperty(HTMLImageElement.prototype, 'decode', { value() { throw new Error('decode') } });
      Object.defineProperty(document, 'fonts', { get() { throw new Error('fonts') } });
      Object.defineProperty(window, 'decode', { get() { throw new Error('decode') } });</script>`,
    'a frozen window': `<script>${ready} Object.freeze(Array.prototype); Object.freeze(Object.prototype); Object.preventExtensions(document)</script>`,
  };
  const body =
    '<p>Text <a href="terms.html">terms</a></p><img src="a.svg"><iframe srcdoc="<p>in</p>"></iframe>';
  const image = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

  for (const [name, html] of Object.entries(documents))
    it(`is printed like any other: ${name}`, async () => {
      const files = { 'index.html': page(html + body), 'a.svg': image };
      const printed = await print(renderer, packageOf(files));
      expect(consoleErrors(printed)).to.deep.equal(['ready']);
      expect(printed.text).not.to.include('localhost');
      expect(warningsOf(printed.events, 'link_dropped')).to.have.length(1);
    });

  it('cannot see the scripts of the renderer', async () => {
    const html = page(`<p>x</p><script>
      const before = Reflect.ownKeys(window).length;
      const seen = [];
      for (const prototype of [Document.prototype, Element.prototype, HTMLImageElement.prototype])
        for (const name of ['querySelectorAll', 'getAttribute', 'decode', 'getAnimations'])
          if (Object.hasOwn(prototype, name)) {
            const real = prototype[name];
            prototype[name] = function (...all) { seen.push(name); return real.apply(this, all) };
          }
      addEventListener('beforeprint', () => console.error(seen.join() || 'nothing', Reflect.ownKeys(window).length - before));
      </script>`);
    expect(consoleErrors(await print(renderer, html))).to.deep.equal(['nothing 0']);
  });
});
