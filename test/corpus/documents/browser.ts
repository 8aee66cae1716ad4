import { app } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import { page, withoutRenderReady, withRenderReady } from './page.ts';

/** Ready when every frame of the page has loaded. */
const framesLoaded = `window.renderReady = new Promise((resolve) => addEventListener('load', resolve));`;

const noPopUps = 'The service opens no pop-ups, because they would not be printed.';

/** Features of the browser: frames, shadow trees, dialogs, storage, service workers, addresses, connections. */
export const browser: DocumentKind = {
  kind: 'browser',
  documents: [
    {
      name: 'frame-same-origin',
      set: 'fast',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<h1>outer</h1><iframe src="inner.html" width="400" height="120"></iframe>',
        }),
        'inner.html': page({
          body: '<p>inner</p>',
          script: withoutRenderReady(
            `document.querySelector('p').textContent = 'inner of ' + data.customer;`,
          ),
        }),
      }),
      expect: { text: ['outer', 'inner of Ada Lovelace'] },
    },
    {
      name: 'frame-srcdoc',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: `<h1>outer</h1><iframe srcdoc="<p>written inside</p><script>document.body.append('by a script')</script>" width="400" height="120"></iframe>`,
          script: framesLoaded,
        }),
      }),
      expect: { text: ['outer', 'written inside', 'by a script'] },
    },
    {
      name: 'frame-nested',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<p>first</p><iframe src="second.html" width="500" height="300"></iframe>',
          script: framesLoaded,
        }),
        'second.html': page({
          body: '<p>second</p><iframe src="third.html" width="300" height="150"></iframe>',
        }),
        'third.html': page({ body: '<p>third</p><img src="dot.svg" alt="">' }),
        'dot.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><circle cx="30" cy="30" r="28" fill="teal"/></svg>',
      }),
      expect: { text: ['first', 'second', 'third'] },
    },
    {
      name: 'frame-sandboxed',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<h1>outer</h1><iframe sandbox src="inner.html" width="400" height="80"></iframe><iframe sandbox="allow-scripts" src="scripted.html" width="400" height="80"></iframe>',
        }),
        'inner.html': page({
          body: '<p>no scripts</p>',
          script: `document.querySelector('p').textContent = 'a script ran';`,
        }),
        'scripted.html': page({
          body: '<p></p>',
          script: `document.querySelector('p').textContent = 'of an opaque origin';`,
        }),
      }),
      expect: { text: ['outer', 'no scripts', 'of an opaque origin'] },
    },
    {
      name: 'frame-messages',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<p>Waiting</p><iframe src="inner.html" hidden></iframe>',
          script: `
            window.renderReady = new Promise((resolve) => addEventListener('message', ({ data }) => {
              document.querySelector('p').textContent = data;
              resolve();
            }));`,
        }),
        'inner.html': page({ script: `parent.postMessage('said by the frame', '*');` }),
      }),
      expect: { text: 'said by the frame' },
    },
    {
      name: 'shadow-open-and-closed',
      set: 'fast',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<x-open><b slot="name">slotted</b></x-open><x-closed></x-closed>',
          script: `
            customElements.define('x-open', class extends HTMLElement {
              constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<p>open, <slot name="name"></slot>, <a href="https://example.org/open">link</a></p>'; }
            });
            customElements.define('x-closed', class extends HTMLElement {
              constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<style>p { color: crimson }</style><p>closed</p>'; }
            });
            window.renderReady = customElements.whenDefined('x-closed');`,
        }),
      }),
      expect: { text: ['open, slotted', 'closed'] },
    },
    {
      name: 'shadow-declarative',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<div><template shadowrootmode="open"><style>p { background: gold }</style><p>declared</p><slot></slot></template>and slotted</div>',
        }),
      }),
      expect: { text: ['declared', 'and slotted'] },
    },
    {
      name: 'shadow-material-web',
      set: 'full',
      ready: 'renderReady',
      files: () =>
        app(
          'full',
          `
          import '@material/web/button/filled-button.js';
          import '@material/web/list/list.js';
          import '@material/web/list/list-item.js';
          import '@material/web/progress/linear-progress.js';
          window.renderReady = Promise.all([...document.querySelectorAll('md-filled-button, md-list, md-list-item')].map((one) => one.updateComplete));`,
          {
            body: '<md-filled-button>Press</md-filled-button><md-list><md-list-item>First<div slot="supporting-text">of two</div></md-list-item></md-list><md-linear-progress value="0.5"></md-linear-progress>',
          },
        ),
      expect: { text: ['Press', 'First', 'of two'] },
    },
    {
      name: 'shadow-polyfill-loaded',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['webcomponents.js'],
          body: '<x-part></x-part>',
          script: `
            addEventListener('WebComponentsReady', () => customElements.define('x-part', class extends HTMLElement {
              connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>made after WebComponentsReady</p>'; }
            }));`,
        }),
        'webcomponents.js': file('@webcomponents/webcomponentsjs/webcomponents-bundle.js'),
      }),
      expect: { text: 'made after WebComponentsReady' },
    },
    {
      name: 'dialog-alert-confirm-prompt',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<p></p>',
          script: `
            alert('Hello');
            const sure = confirm('Sure?');
            const name = prompt('Name?', 'Ada');
            document.querySelector('p').textContent = 'asked: ' + sure + ', ' + name;
            window.renderReady = Promise.resolve();`,
        }),
      }),
      expect: { text: 'asked: false, null' },
    },
    {
      name: 'dialog-element-and-popover',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p>behind</p><dialog>a modal dialog</dialog><div popover="manual" style="inset: auto 10px 10px auto">a popover</div>',
          script: `document.querySelector('dialog').showModal(); document.querySelector('[popover]').showPopover();`,
        }),
      }),
      expect: { text: ['behind', 'a modal dialog', 'a popover'] },
    },
    {
      name: 'dialog-before-unload',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<p>stays</p>',
          script: `addEventListener('beforeunload', (event) => event.preventDefault()); window.renderReady = Promise.resolve();`,
        }),
      }),
      expect: { text: 'stays' },
    },
    {
      name: 'popup-window-open',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<p></p>',
          script: `
            const opened = window.open('other.html');
            document.querySelector('p').textContent = opened ? 'opened' : 'not opened';
            window.renderReady = Promise.resolve();`,
        }),
        'other.html': page({ body: 'other' }),
      }),
      expect: { text: 'opened' },
      knownDifferences: [{ aspect: 'text', reason: noPopUps }],
    },
    {
      name: 'popup-print-called',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({ body: '<p>prints itself</p>', script: 'window.print();' }),
      }),
      expect: { text: 'prints itself' },
    },
    {
      name: 'storage-local-and-session',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['js-cookie.js', 'localforage.js'],
          body: '<p></p>',
          script: withRenderReady(`
            localStorage.setItem('a', data.customer);
            sessionStorage.setItem('b', 'session');
            Cookies.set('c', 'cookie');
            await localforage.setItem('d', { kept: 'forage' });
            const { kept } = await localforage.getItem('d');
            document.querySelector('p').textContent = [localStorage.getItem('a'), sessionStorage.getItem('b'), Cookies.get('c'), kept].join(', ');`),
        }),
        'js-cookie.js': file('js-cookie/dist/js.cookie.min.js'),
        'localforage.js': file('localforage/dist/localforage.min.js'),
      }),
      expect: { text: 'Ada Lovelace, session, cookie, forage' },
    },
    {
      name: 'storage-idb',
      set: 'full',
      ready: 'nothing',
      files: () =>
        app(
          'full',
          `
          import { openDB } from 'idb';
          const db = await openDB('sales', 1, { upgrade: (database) => database.createObjectStore('rows', { keyPath: 'month' }) });
          const { rows } = await (await fetch('/__payload')).json();
          const writing = db.transaction('rows', 'readwrite');
          await Promise.all([...rows.map((row) => writing.store.put(row)), writing.done]);
          document.getElementById('app').textContent = 'kept ' + (await db.count('rows')) + ' rows';`,
        ),
      expect: { text: 'kept 12 rows' },
    },
    {
      name: 'storage-cache-api',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<p></p>',
          script: `
            window.renderReady = (async () => {
              const cache = await caches.open('v1');
              await cache.addAll(['words.txt']);
              document.querySelector('p').textContent = await (await caches.match('words.txt')).text();
            })();`,
        }),
        'words.txt': 'words from the cache',
      }),
      expect: { text: 'words from the cache' },
    },
    {
      name: 'service-worker-caching',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<p></p>',
          script: `
            window.renderReady = (async () => {
              await navigator.serviceWorker.register('sw.js');
              await navigator.serviceWorker.ready;
              if (!navigator.serviceWorker.controller)
                await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
              document.querySelector('p').textContent = await (await fetch('made-up.txt')).text();
            })();`,
        }),
        'sw.js': `
          addEventListener('install', (event) => event.waitUntil(skipWaiting()));
          addEventListener('activate', (event) => event.waitUntil(clients.claim()));
          addEventListener('fetch', (event) => {
            if (event.request.url.endsWith('made-up.txt')) event.respondWith(new Response('answered by the service worker'));
          });`,
      }),
      expect: { text: 'answered by the service worker' },
    },
    {
      name: 'service-worker-registered-only',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          body: '<p>A progressive page</p>',
          script: `addEventListener('load', () => navigator.serviceWorker.register('sw.js'));`,
        }),
        'sw.js': `addEventListener('fetch', () => undefined);`,
      }),
      expect: { text: 'A progressive page' },
    },
    {
      name: 'service-worker-workbox',
      set: 'full',
      ready: 'renderReady',
      files: async ({ folder }) => ({
        'index.html': page({
          body: '<p></p>',
          script: `
            window.renderReady = (async () => {
              await navigator.serviceWorker.register('sw.js');
              await navigator.serviceWorker.ready;
              if (!navigator.serviceWorker.controller)
                await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
              await fetch('words.txt');
              document.querySelector('p').textContent = await (await fetch('words.txt')).text();
            })();`,
        }),
        'words.txt': 'cached by workbox',
        'sw.js': `
          importScripts('workbox/workbox-sw.js');
          workbox.setConfig({ modulePathPrefix: 'workbox/', debug: false });
          workbox.loadModule('workbox-core');
          workbox.loadModule('workbox-routing');
          workbox.loadModule('workbox-strategies');
          skipWaiting();
          workbox.core.clientsClaim();
          workbox.routing.registerRoute(({ url }) => url.pathname.endsWith('.txt'), new workbox.strategies.CacheFirst());`,
        ...folder('workbox-sw/build', 'workbox', (path) => path.endsWith('.js')),
        ...folder('workbox-core/build', 'workbox', (path) => path.endsWith('prod.js')),
        ...folder('workbox-routing/build', 'workbox', (path) => path.endsWith('prod.js')),
        ...folder('workbox-strategies/build', 'workbox', (path) => path.endsWith('prod.js')),
      }),
      expect: { text: 'cached by workbox' },
    },
    {
      name: 'router-page-js',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['page.js'],
          body: '<main></main><a href="#/second">second</a>',
          script: `
            page.configure({ hashbang: true });
            page('/', () => page.redirect('/first'));
            page('/first', () => fetch('/__payload').then((answer) => answer.json()).then(({ customer }) => {
              document.querySelector('main').textContent = 'the first route of ' + customer;
            }));
            page('*', () => page.redirect('/first'));
            page();`,
        }),
        'page.js': file('page/page.js'),
      }),
      expect: { text: 'the first route of Ada Lovelace' },
    },
    {
      name: 'router-vue-hash',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['vue.js', 'vue-router.js'],
          body: '<div id="app"><router-view></router-view></div>',
          script: `
            const { createRouter, createWebHashHistory } = VueRouter;
            const router = createRouter({
              history: createWebHashHistory(),
              routes: [{ path: '/', redirect: '/report' }, { path: '/report', component: { template: '<h1>The report by hash</h1>' } }],
            });
            Vue.createApp({}).use(router).mount('#app');
            window.renderReady = router.isReady().then(() => Vue.nextTick());`,
        }),
        'vue.js': file('vue/dist/vue.global.prod.js'),
        'vue-router.js': file('vue-router/dist/vue-router.global.prod.js'),
      }),
      expect: { text: 'The report by hash' },
    },
    {
      name: 'router-vue-history',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['vue.js', 'vue-router.js'],
          body: '<div id="app"><router-view></router-view></div>',
          script: `
            const { createRouter, createWebHistory } = VueRouter;
            const router = createRouter({
              history: createWebHistory(),
              routes: [
                { path: '/', redirect: '/report/7' },
                { path: '/report/:id', component: { template: '<h1>The report {{ $route.params.id }} by history</h1>' } },
              ],
            });
            Vue.createApp({}).use(router).mount('#app');`,
        }),
        'vue.js': file('vue/dist/vue.global.prod.js'),
        'vue-router.js': file('vue-router/dist/vue-router.global.prod.js'),
      }),
      expect: { text: 'The report 7 by history' },
    },
    {
      name: 'router-react-hash',
      set: 'full',
      ready: 'nothing',
      files: () =>
        app(
          'full',
          `
          import { createElement as h } from 'react';
          import { createRoot } from 'react-dom/client';
          import { createHashRouter, RouterProvider, useLoaderData, redirect } from 'react-router-dom';
          const Report = () => h('h1', null, 'Loaded for ' + useLoaderData().customer);
          const router = createHashRouter([
            { path: '/', loader: () => redirect('/report'), HydrateFallback: () => h('p', null, 'Loading') },
            { path: '/report', loader: async () => (await fetch('/__payload')).json(), Component: Report },
          ]);
          createRoot(document.getElementById('app')).render(h(RouterProvider, { router }));`,
        ),
      expect: { text: 'Loaded for Ada Lovelace' },
    },
    {
      name: 'router-navigo-history',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['navigo.js'],
          body: '<main></main>',
          script: `
            window.renderReady = new Promise((resolve) => {
              const router = new Navigo('/');
              router.on('/letter/:id', ({ data }) => { document.querySelector('main').textContent = 'letter ' + data.id; resolve(); });
              router.navigate('/letter/12');
            });`,
        }),
        'navigo.js': file('navigo/lib/navigo.min.js'),
      }),
      expect: { text: 'letter 12' },
    },
    {
      name: 'navigation-by-script',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({ body: '<p>going</p>', script: `location.replace('second.html');` }),
        'second.html': page({ body: '<p>arrived at the second page</p>' }),
      }),
      expect: { text: 'arrived at the second page' },
    },
    {
      name: 'navigation-meta-refresh',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({ head: '<meta http-equiv="refresh" content="0; url=second.html">' }),
        'second.html': page({ body: '<p>refreshed into the second page</p>' }),
      }),
      expect: { text: 'refreshed into the second page' },
    },
    {
      name: 'network-dead-addresses',
      set: 'full',
      ready: 'nothing',
      files: () => ({
        'index.html': page({
          head: '<script async src="http://127.0.0.1:9/analytics.js"></script><link rel="stylesheet" href="http://cdn.invalid/style.css">',
          body: '<p>without the network</p><img src="http://127.0.0.1:9/pixel.gif" alt="">',
          script: `
            navigator.sendBeacon('http://127.0.0.1:9/beacon', 'x');
            fetch('http://127.0.0.1:9/track').catch(() => undefined);`,
        }),
      }),
      expect: { text: 'without the network' },
    },
    {
      name: 'network-event-source-and-socket',
      set: 'full',
      ready: 'renderReady',
      files: () => ({
        'index.html': page({
          body: '<p>live</p>',
          script: `
            new EventSource('http://127.0.0.1:9/events');
            new WebSocket('ws://127.0.0.1:9/socket');
            window.renderReady = Promise.resolve();`,
        }),
      }),
      expect: { text: 'live' },
    },
    {
      name: 'network-axios-and-abort',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['axios.js'],
          body: '<p></p>',
          script: `
            const stop = new AbortController();
            axios.get('/__payload?aborted', { signal: stop.signal }).catch(() => undefined);
            stop.abort();
            axios.get('/__payload').then(({ data }) => axios.get('not-there.json').catch(({ response }) => {
              document.querySelector('p').textContent = data.customer + ' and ' + response.status;
            }));`,
        }),
        'axios.js': file('axios/dist/axios.min.js'),
      }),
      expect: { text: 'Ada Lovelace and 404' },
    },
    {
      name: 'modules-systemjs',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          head: '<script type="systemjs-importmap">{"imports":{"words":"./words.js"}}</script><script src="system.js"></script><script type="systemjs-module" src="import:words"></script>',
          body: '<p></p>',
        }),
        'system.js': file('systemjs/dist/system.min.js'),
        'words.js': `System.register([], () => ({ execute() { document.querySelector('p').textContent = 'registered with SystemJS'; } }));`,
      }),
      expect: { text: 'registered with SystemJS' },
    },
    {
      name: 'modules-requirejs',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['require.js'],
          body: '<p></p>',
          script: `
            window.renderReady = new Promise((resolve) => require(['words'], ({ words }) => {
              document.querySelector('p').textContent = words;
              resolve();
            }));`,
        }),
        'require.js': file('requirejs/require.js'),
        'words.js': `define([], () => ({ words: 'defined with RequireJS' }));`,
      }),
      expect: { text: 'defined with RequireJS' },
    },
    {
      name: 'modules-es-module-shims',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          head: '<script async src="shims.js"></script><script type="importmap">{"imports":{"words":"./words.js"}}</script>',
          body: '<p></p>',
          module: `import { words } from 'words'; document.querySelector('p').textContent = words;`,
        }),
        'shims.js': file('es-module-shims/dist/es-module-shims.js'),
        'words.js': `export const words = 'imported by a map';`,
      }),
      expect: { text: 'imported by a map' },
    },
  ],
};
