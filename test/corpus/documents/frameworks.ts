import { bundle } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import { page, withoutRenderReady, withRenderReady } from './page.ts';

const moduleApp = page({
  body: '<div id="app">Loading</div>',
  head: '<script type="module" src="app.js"></script>',
});

const expected = { text: ['Yearly sales', 'January: 40', 'December: 87'] };

/** The same list, written with each framework as its users do. */
export const frameworks: DocumentKind = {
  kind: 'frameworks',
  documents: [
    {
      name: 'react-suspense',
      set: 'fast',
      ready: 'renderReady',
      files: async () => ({
        'index.html': moduleApp,
        ...(await bundle(
          'fast',
          `
          import { Suspense, use, useEffect } from 'react';
          import { createRoot } from 'react-dom/client';
          const loading = fetch('/__payload').then((answer) => answer.json());
          const { promise, resolve } = Promise.withResolvers();
          window.renderReady = promise;
          function List() {
            const data = use(loading);
            useEffect(() => resolve(), []);
            return <><h1>{data.title}</h1><ul>{data.rows.map(({ month, apples }) => <li key={month}>{month}: {apples}</li>)}</ul></>;
          }
          createRoot(document.getElementById('app')).render(<Suspense fallback={<p>Loading</p>}><List /></Suspense>);`,
          { language: 'jsx' },
        )),
      }),
      expect: expected,
    },
    {
      name: 'react-effects',
      set: 'full',
      ready: 'nothing',
      files: async () => ({
        'index.html': moduleApp,
        ...(await bundle(
          'full',
          `
          import { StrictMode, useEffect, useState } from 'react';
          import { createRoot } from 'react-dom/client';
          function App() {
            const [data, setData] = useState();
            useEffect(() => {
              const stop = new AbortController();
              fetch('/__payload', { signal: stop.signal }).then((answer) => answer.json()).then(setData).catch(() => undefined);
              return () => stop.abort();
            }, []);
            if (!data) return <p>Loading</p>;
            return <><h1>{data.title}</h1><ul>{data.rows.map(({ month, apples }) => <li key={month}>{month}: {apples}</li>)}</ul></>;
          }
          createRoot(document.getElementById('app')).render(<StrictMode><App /></StrictMode>);`,
          { language: 'jsx' },
        )),
      }),
      expect: expected,
    },
    {
      name: 'preact-import-map',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          head: '<script type="importmap">{"imports":{"preact":"./preact.mjs"}}</script>',
          body: '<div id="app"></div>',
          module: `
            import { h, render } from 'preact';
            const { title, rows } = await (await fetch('/__payload')).json();
            render([h('h1', null, title), h('ul', null, rows.map(({ month, apples }) => h('li', null, month, ': ', apples)))],
              document.getElementById('app'));`,
        }),
        'preact.mjs': file('preact/dist/preact.mjs'),
      }),
      expect: expected,
    },
    {
      name: 'vue-template',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['vue.js'],
          body: '<div id="app"><h1>{{ title }}</h1><ul><li v-for="row in rows" :key="row.month">{{ row.month }}: {{ row.apples }}</li></ul></div>',
          script: withRenderReady(`
            Vue.createApp({ data: () => data }).mount('#app');
            await Vue.nextTick();`),
        }),
        'vue.js': file('vue/dist/vue.global.prod.js'),
      }),
      expect: expected,
    },
    {
      name: 'vue-mounted-fetch',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['vue.js'],
          body: '<div id="app"><h1>{{ data?.title }}</h1><ul><li v-for="row in data?.rows">{{ row.month }}: {{ row.apples }}</li></ul></div>',
          script: `
            Vue.createApp({
              setup() {
                const data = Vue.ref();
                Vue.onMounted(async () => { data.value = await (await fetch('/__payload')).json(); });
                return { data };
              },
            }).mount('#app');`,
        }),
        'vue.js': file('vue/dist/vue.global.prod.js'),
      }),
      expect: expected,
    },
    {
      name: 'lit-element',
      set: 'fast',
      ready: 'renderReady',
      files: async () => ({
        'index.html': page({
          body: '<sales-list></sales-list>',
          head: '<script type="module" src="app.js"></script>',
        }),
        ...(await bundle(
          'fast',
          `
          import { css, html, LitElement } from 'lit';
          class SalesList extends LitElement {
            static properties = { data: { attribute: false } };
            static styles = css\`h1 { color: teal }\`;
            render() {
              if (!this.data) return html\`<p>Loading</p>\`;
              return html\`<h1>\${this.data.title}</h1><ul>\${this.data.rows.map(({ month, apples }) => html\`<li>\${month}: \${apples}</li>\`)}</ul>\`;
            }
          }
          customElements.define('sales-list', SalesList);
          window.renderReady = fetch('/__payload').then((answer) => answer.json()).then((data) => {
            const list = document.querySelector('sales-list');
            list.data = data;
            return list.updateComplete;
          });`,
        )),
      }),
      expect: expected,
    },
    {
      name: 'alpine-init',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          head: '<script defer src="alpine.js"></script>',
          body: `<div x-data="{ data: { rows: [] } }" x-init="data = await (await fetch('/__payload')).json()">
            <h1 x-text="data.title"></h1>
            <ul><template x-for="row in data.rows"><li x-text="row.month + ': ' + row.apples"></li></template></ul></div>`,
        }),
        'alpine.js': file('alpinejs/dist/cdn.min.js'),
      }),
      expect: expected,
    },
    {
      name: 'petite-vue-scope',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['petite-vue.js'],
          body: '<div id="app" @vue:mounted="load"><h1>{{ title }}</h1><ul><li v-for="row in rows">{{ row.month }}: {{ row.apples }}</li></ul></div>',
          script: `
            PetiteVue.createApp({
              title: '', rows: [],
              async load() { Object.assign(this, await (await fetch('/__payload')).json()); },
            }).mount('#app');`,
        }),
        'petite-vue.js': file('petite-vue/dist/petite-vue.iife.js'),
      }),
      expect: expected,
    },
    {
      name: 'jquery-get-json',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['jquery.js'],
          body: '<h1></h1><ul></ul>',
          script: `
            $(() => $.getJSON('/__payload', ({ title, rows }) => {
              $('h1').text(title).hide().fadeIn(0);
              for (const { month, apples } of rows) $('<li>').text(month + ': ' + apples).appendTo('ul');
            }));`,
        }),
        'jquery.js': file('jquery/dist/jquery.min.js'),
      }),
      expect: expected,
    },
    {
      name: 'handlebars-template',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['handlebars.js'],
          body: '<main></main><template><h1>{{title}}</h1><ul>{{#each rows}}<li>{{month}}: {{apples}}</li>{{/each}}</ul></template>',
          script: withRenderReady(`
            const template = Handlebars.compile(document.querySelector('template').innerHTML);
            document.querySelector('main').innerHTML = template(data);`),
        }),
        'handlebars.js': file('handlebars/dist/handlebars.min.js'),
      }),
      expect: expected,
    },
    {
      name: 'mithril-request',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['mithril.js'],
          body: '<div id="app"></div>',
          script: `
            let data;
            m.request('/__payload').then((answer) => { data = answer; });
            m.mount(document.getElementById('app'), {
              view: () => data && [m('h1', data.title), m('ul', data.rows.map(({ month, apples }) => m('li', month + ': ' + apples)))],
            });`,
        }),
        'mithril.js': file('mithril/mithril.min.js'),
      }),
      expect: expected,
    },
    {
      name: 'knockout-bindings',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['knockout.js'],
          body: '<h1 data-bind="text: title"></h1><ul data-bind="foreach: rows"><li data-bind="text: month + \': \' + apples"></li></ul>',
          script: withRenderReady('ko.applyBindings(data);'),
        }),
        'knockout.js': file('knockout/build/output/knockout-latest.js'),
      }),
      expect: expected,
    },
    {
      name: 'svelte-await-block',
      set: 'full',
      ready: 'nothing',
      files: async (packages) => {
        const { compile } = await packages.import('svelte/src/compiler/index.js');
        const component = `
          <script>
            let { loading } = $props();
          </script>
          {#await loading}<p>Loading</p>{:then data}
            <h1>{data.title}</h1><ul>{#each data.rows as { month, apples }}<li>{month}: {apples}</li>{/each}</ul>
          {/await}`;
        const { js } = compile(component, { generate: 'client', filename: 'App.svelte' });
        const code = js.code.replace('export default function', 'function');
        return {
          'index.html': moduleApp,
          ...(await bundle(
            'full',
            `import { mount } from 'svelte';
            ${code}
            document.getElementById('app').textContent = '';
            mount(App, {
              target: document.getElementById('app'),
              props: { loading: fetch('/__payload').then((answer) => answer.json()) },
            });`,
          )),
        };
      },
      expect: expected,
    },
    {
      name: 'solid-resource',
      set: 'full',
      ready: 'nothing',
      files: async () => ({
        'index.html': moduleApp,
        ...(await bundle(
          'full',
          `
          import { createResource, For, Show } from 'solid-js';
          import html from 'solid-js/html';
          import { render } from 'solid-js/web';
          const place = document.getElementById('app');
          place.textContent = '';
          render(() => {
            const [data] = createResource(() => fetch('/__payload').then((answer) => answer.json()));
            return html\`<h1>\${() => data()?.title}</h1><ul>\${() => data()?.rows.map(({ month, apples }) => html\`<li>\${month}: \${apples}</li>\`)}</ul>\`;
          }, place);`,
        )),
      }),
      expect: expected,
    },
    {
      name: 'stimulus-controller',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['stimulus.js'],
          body: '<div data-controller="sales"><h1 data-sales-target="title"></h1><ul data-sales-target="list"></ul></div>',
          script: `
            Stimulus.Application.start().register('sales', class extends Stimulus.Controller {
              static targets = ['title', 'list'];
              async connect() {
                const { title, rows } = await (await fetch('/__payload')).json();
                this.titleTarget.textContent = title;
                this.listTarget.innerHTML = rows.map(({ month, apples }) => '<li>' + month + ': ' + apples).join('');
              }
            });`,
        }),
        'stimulus.js': file('@hotwired/stimulus/dist/stimulus.umd.js'),
      }),
      expect: expected,
    },
    {
      name: 'htmx-on-load',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['htmx.js'],
          body: '<div hx-get="part.html" hx-trigger="load">Loading</div>',
        }),
        'htmx.js': file('htmx.org/dist/htmx.min.js'),
        'part.html':
          '<h1>Fetched by htmx</h1><div hx-get="deeper.html" hx-trigger="load">Loading</div>',
        'deeper.html': '<p>and a part of that part</p>',
      }),
      expect: { text: ['Fetched by htmx', 'and a part of that part'] },
    },
    {
      name: 'backbone-collection',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['jquery.js', 'underscore.js', 'backbone.js'],
          body: '<h1></h1><ul></ul>',
          script: `
            const Sales = Backbone.Model.extend({ url: '/__payload' });
            const List = Backbone.View.extend({
              el: 'body',
              initialize() { this.listenTo(this.model, 'sync', this.render); },
              render() {
                this.$('h1').text(this.model.get('title'));
                this.$('ul').html(_.map(this.model.get('rows'), ({ month, apples }) => '<li>' + month + ': ' + apples).join(''));
              },
            });
            const model = new Sales();
            new List({ model });
            model.fetch();`,
        }),
        'jquery.js': file('jquery/dist/jquery.min.js'),
        'underscore.js': file('underscore/underscore-umd-min.js'),
        'backbone.js': file('backbone/backbone-min.js'),
      }),
      expect: expected,
    },
    {
      name: 'hyperapp-effect',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          body: '<div id="app"></div>',
          module: `
            import { app, h, text } from './hyperapp.js';
            const load = (dispatch) => fetch('/__payload').then((answer) => answer.json())
              .then((data) => dispatch((state) => ({ ...state, data })));
            app({
              init: [{}, [load]],
              view: ({ data }) => h('main', {}, data ? [h('h1', {}, text(data.title)),
                h('ul', {}, data.rows.map(({ month, apples }) => h('li', {}, text(month + ': ' + apples))))] : text('Loading')),
              node: document.getElementById('app'),
            });`,
        }),
        'hyperapp.js': file('hyperapp/index.js'),
      }),
      expect: expected,
    },
    {
      name: 'mustache-partials',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['mustache.js'],
          body: '<main></main>',
          script: withRenderReady(`
            document.querySelector('main').innerHTML = Mustache.render(
              '<h1>{{title}}</h1><ul>{{#rows}}{{> row}}{{/rows}}</ul>', data, { row: '<li>{{month}}: {{apples}}</li>' });`),
        }),
        'mustache.js': file('mustache/mustache.min.js'),
      }),
      expect: expected,
    },
    {
      name: 'nunjucks-template',
      set: 'full',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['nunjucks.js'],
          body: '<main></main>',
          script: withoutRenderReady(`
            document.querySelector('main').innerHTML = nunjucks.renderString(
              '<h1>{{ title }}</h1><ul>{% for row in rows %}<li>{{ row.month }}: {{ row.apples }}</li>{% endfor %}</ul>', data);`),
        }),
        'nunjucks.js': file('nunjucks/browser/nunjucks.min.js'),
      }),
      expect: expected,
    },
    {
      name: 'redux-store',
      set: 'full',
      ready: 'renderReady',
      files: async () => ({
        'index.html': moduleApp,
        ...(await bundle(
          'full',
          `
          import { legacy_createStore as createStore } from 'redux';
          const store = createStore((state = {}, action) => action.type === 'loaded' ? action.data : state);
          window.renderReady = new Promise((resolve) => store.subscribe(() => {
            const { title, rows } = store.getState();
            document.getElementById('app').innerHTML = '<h1>' + title + '</h1><ul>' +
              rows.map(({ month, apples }) => '<li>' + month + ': ' + apples).join('') + '</ul>';
            resolve();
          }));
          fetch('/__payload').then((answer) => answer.json()).then((data) => store.dispatch({ type: 'loaded', data }));`,
        )),
      }),
      expect: expected,
    },
  ],
};
