import type { DocumentKind } from '../document.ts';
import { page, withoutRenderReady, withRenderReady } from './page.ts';

const list = `
  document.querySelector('h1').textContent = data.title;
  document.querySelector('ul').innerHTML = data.rows.map(({ month }) => '<li>' + month).join('');`;

const body = '<h1></h1><ul></ul>';
const expected = { text: ['Yearly sales', 'December'] };

/** Pages that change names, prototypes and clocks that other scripts need. */
export const hostile: DocumentKind = {
  kind: 'hostile',
  documents: [
    {
      name: 'hostile-const-url',
      set: 'fast',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: `${body}<a href="https://example.org/more">more</a><a href="#top">up</a>`,
          script: `const URL = '/__payload'; ${withRenderReady(list)}`,
        }),
      }),
      expect: expected,
    },
    {
      name: 'hostile-form-names',
      set: 'fast',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: `${body}
            <form name="images"></form><form name="querySelectorAll"></form><form name="fonts"></form>
            <form name="getElementsByTagName"></form><img name="readyState" src="data:,">`,
          script: `
            window.renderReady = (async () => {
              const data = await (await fetch('/__payload')).json();
              Document.prototype.querySelector.call(document, 'h1').textContent = data.title;
              Document.prototype.querySelector.call(document, 'ul').innerHTML = data.rows.map(({ month }) => '<li>' + month).join('');
            })();`,
        }),
      }),
      expect: expected,
    },
    {
      name: 'hostile-array-prototype',
      set: 'fast',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: `${body}<a href="other.html">other</a><img src="dot.svg" alt="dot">`,
          script: `
            ${withRenderReady(`${list}
              Array.prototype.map = Array.prototype.filter = Array.prototype.flatMap = () => { throw new Error('replaced'); };
              Array.prototype[Symbol.iterator] = function* () {};
            `)}`,
        }),
        'dot.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle cx="10" cy="10" r="9"/></svg>',
      }),
      expect: expected,
    },
    {
      name: 'hostile-json-map-set',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body,
          script: `${withRenderReady(`${list} window.JSON = { parse: 1, stringify: 2 }; window.Map = window.Set = window.WeakMap = 'shadowed';`)}`,
        }),
      }),
      expect: expected,
    },
    {
      name: 'hostile-array-to-json',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body,
          script: `
            Array.prototype.toJSON = function () { return '[' + this.join() + ']'; };
            Object.prototype.toJSON = function () { return 'an object'; };
            ${withRenderReady(list)}`,
        }),
      }),
      expect: expected,
    },
    {
      name: 'hostile-window-decode',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: `${body}<img src="dot.svg" alt="dot">`,
          script: `
            window.decode = 1; window.name = 'name'; window.status = 'busy'; window.complete = false;
            HTMLImageElement.prototype.decode = () => new Promise(() => {});
            ${withRenderReady(list)}`,
        }),
        'dot.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle cx="10" cy="10" r="9"/></svg>',
      }),
      expect: expected,
    },
    {
      name: 'hostile-element-prototype',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: `${body}<iframe srcdoc="<p>framed" width="200" height="60"></iframe>`,
          script: `
            ${withRenderReady(`${list}
              Document.prototype.querySelectorAll = Element.prototype.getAttribute = () => { throw new Error('replaced'); };
              Object.defineProperty(HTMLIFrameElement.prototype, 'contentDocument', { get() { throw new Error('replaced'); } });
              Object.defineProperty(Document.prototype, 'fonts', { get() { return undefined; } });
            `)}`,
        }),
      }),
      expect: { text: ['Yearly sales', 'December', 'framed'] },
    },
    {
      name: 'hostile-promise-bluebird',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['bluebird.js'],
          body,
          script: `
            window.renderReady = Promise.resolve(fetch('/__payload')).then((answer) => answer.json()).delay(50).then((data) => { ${list} });`,
        }),
        'bluebird.js': file('bluebird/js/browser/bluebird.min.js'),
      }),
      expect: expected,
    },
    {
      name: 'hostile-promise-broken-then',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body,
          script: `
            const then = Promise.prototype.then;
            Promise.prototype.then = function (...handlers) { return then.apply(this, handlers); };
            Promise.prototype.catch = undefined;
            Promise.all = Promise.race = Promise.withResolvers = undefined;
            ${withRenderReady(list)}`,
        }),
      }),
      expect: expected,
    },
    {
      name: 'hostile-zone-js',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['zone.js'],
          body,
          script: `
            window.renderReady = new Promise((resolve) => {
              Zone.current.fork({
                name: 'app',
                onHasTask: (parent, current, target, state) => {
                  parent.hasTask(target, state);
                  if (!state.microTask && !state.macroTask && window.drawn) resolve();
                },
              }).run(() => fetch('/__payload').then((answer) => answer.json()).then((data) => { ${list} window.drawn = true; }));
            });`,
        }),
        'zone.js': file('zone.js/bundles/zone.umd.js'),
      }),
      expect: expected,
    },
    {
      name: 'hostile-lolex-clock',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['lolex.js'],
          body: `${body}<p></p>`,
          script: `
            const clock = lolex.install({ now: Date.UTC(2001, 1, 3) });
            document.querySelector('p').textContent = new Date().toISOString();
            ${withRenderReady(list)}`,
        }),
        'lolex.js': file('lolex/lolex.js'),
      }),
      expect: { text: [...expected.text, '2001-02-03T00:00:00.000Z'] },
    },
    {
      name: 'hostile-timekeeper-frozen',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['timekeeper.js'],
          body: `${body}<p></p>`,
          script: `
            timekeeper.freeze(new Date(Date.UTC(2002, 2, 4)));
            document.querySelector('p').textContent = new Date().toISOString();
            ${withRenderReady(list)}`,
        }),
        'timekeeper.js': file('timekeeper/lib/timekeeper.js'),
      }),
      expect: { text: [...expected.text, '2002-03-04T00:00:00.000Z'] },
    },
    {
      name: 'hostile-mockdate',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['mockdate.js'],
          body: `${body}<p></p>`,
          script: `
            MockDate.set(Date.UTC(2003, 3, 5));
            document.querySelector('p').textContent = new Date().toISOString();
            ${withoutRenderReady(list)}`,
        }),
        'mockdate.js': file('mockdate/lib/mockdate.js'),
      }),
      expect: { text: [...expected.text, '2003-04-05T00:00:00.000Z'] },
    },
    {
      name: 'hostile-timers-removed',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body,
          script: `
            ${withRenderReady(list)}
            window.setTimeout = window.setInterval = window.requestAnimationFrame = window.queueMicrotask = () => 0;
            performance.now = () => 0;
            window.requestIdleCallback = undefined;`,
        }),
      }),
      expect: expected,
    },
    {
      name: 'hostile-sugar-extended',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['sugar.js'],
          body: `${body}<p></p>`,
          script: `
            Sugar.extend({ objectPrototype: true });
            ${withRenderReady(`${list} document.querySelector('p').textContent = 'yearly sales'.titleize();`)}`,
        }),
        'sugar.js': file('sugar/dist/sugar.min.js'),
      }),
      expect: expected,
    },
    {
      name: 'hostile-core-js',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({ scripts: ['core-js.js'], body, script: withRenderReady(list) }),
        'core-js.js': file('core-js-bundle/minified.js'),
      }),
      expect: expected,
    },
    {
      name: 'hostile-es6-promise',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['es6-promise.js'],
          body,
          script: `
            window.Promise = ES6Promise;
            window.renderReady = new Promise((resolve) => {
              const xhr = new XMLHttpRequest();
              xhr.open('GET', '/__payload');
              xhr.onload = () => { const data = JSON.parse(xhr.responseText); ${list} resolve(); };
              xhr.send();
            });`,
        }),
        'es6-promise.js': file('es6-promise/dist/es6-promise.min.js'),
      }),
      expect: expected,
    },
    {
      name: 'hostile-promise-polyfill-forced',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          head: '<script>delete window.Promise;</script>',
          scripts: ['promise-polyfill.js', 'whatwg-fetch.js'],
          body,
          script: `
            window.renderReady = WHATWGFetch.fetch('/__payload').then((answer) => answer.json()).then((data) => { ${list} });`,
        }),
        'promise-polyfill.js': file('promise-polyfill/dist/polyfill.min.js'),
        'whatwg-fetch.js': file('whatwg-fetch/dist/fetch.umd.js'),
      }),
      expect: expected,
    },
    {
      name: 'hostile-strict-csp',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          head: `<meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'">`,
          scripts: ['app.js'],
          body,
        }),
        'app.js': withoutRenderReady(`
          document.querySelector('h1').textContent = data.title;
          document.querySelector('ul').append(...data.rows.map(({ month }) => {
            const item = document.createElement('li');
            item.textContent = month;
            return item;
          }));`),
      }),
      expect: expected,
    },
    {
      name: 'hostile-fetch-removed',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body,
          script: `${withRenderReady(list)} window.fetch = undefined; window.XMLHttpRequest = undefined;`,
        }),
      }),
      expect: expected,
    },
    {
      name: 'hostile-frozen-globals',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body,
          script: `
            ${withRenderReady(list)}
            for (const one of [Object, Array, Promise, Function, Document, Element, Node, EventTarget, HTMLElement, Window])
              if (one.prototype) Object.freeze(one.prototype);
            Object.freeze(Promise); Object.freeze(Array); Object.freeze(JSON);`,
        }),
      }),
      expect: expected,
    },
    {
      name: 'hostile-ready-function',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body,
          script: `
            window.renderReady = async () => {
              const data = await (await fetch('/__payload')).json();
              ${list}
            };`,
        }),
      }),
      expect: expected,
    },
    {
      name: 'hostile-ready-thenable',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body,
          script: `
            window.renderReady = {
              then(resolve) {
                fetch('/__payload').then((answer) => answer.json()).then((data) => { ${list} resolve(document.body); });
              },
            };`,
        }),
      }),
      expect: expected,
    },
  ],
};
