import { app } from '../bundle.ts';
import type { DocumentKind } from '../document.ts';
import { page, withRenderReady } from './page.ts';

/** Editors, which are printed with their content. */
export const editors: DocumentKind = {
  kind: 'editors',
  documents: [
    {
      name: 'codemirror-5',
      set: 'fast',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['codemirror.css'],
          scripts: ['codemirror.js', 'javascript.js'],
          body: '<div id="editor"></div>',
          script: withRenderReady(`
            CodeMirror(document.getElementById('editor'), {
              value: 'const customer = "' + data.customer + '";\\nconsole.log(customer);\\n', mode: 'javascript', lineNumbers: true, viewportMargin: Infinity,
            });`),
        }),
        'codemirror.js': file('codemirror/lib/codemirror.js'),
        'codemirror.css': file('codemirror/lib/codemirror.css'),
        'javascript.js': file('codemirror/mode/javascript/javascript.js'),
      }),
      expect: { text: 'const customer = "Ada Lovelace";' },
    },
    {
      name: 'codemirror-6',
      set: 'full',
      ready: 'nothing',
      files: () =>
        app(
          'full',
          `
          import { EditorState } from '@codemirror/state';
          import { EditorView, lineNumbers } from '@codemirror/view';
          import { javascript } from '@codemirror/lang-javascript';
          import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
          const { customer } = await (await fetch('/__payload')).json();
          new EditorView({
            parent: document.getElementById('app'),
            state: EditorState.create({
              doc: 'const customer = "' + customer + '";',
              extensions: [lineNumbers(), javascript(), syntaxHighlighting(defaultHighlightStyle)],
            }),
          });`,
        ),
      expect: { text: 'const customer = "Ada Lovelace";' },
    },
    {
      name: 'monaco-amd',
      set: 'full',
      ready: 'renderReady',
      files: ({ folder }) => ({
        'index.html': page({
          scripts: ['vs/loader.js'],
          body: '<div id="editor" style="width:680px;height:300px"></div>',
          script: `
            require.config({ paths: { vs: 'vs' } });
            window.renderReady = new Promise((resolve) => require(['vs/editor/editor.main'], () => {
              monaco.editor.create(document.getElementById('editor'), {
                value: 'the_text_in_monaco\\nsecond_line', language: 'plaintext', minimap: { enabled: false }, automaticLayout: false,
              });
              setTimeout(resolve, 500);
            }));`,
        }),
        ...folder('monaco-editor-core/min/vs', 'vs', (path) => !/nls\.messages/.test(path)),
      }),
      expect: { text: ['the_text_in_monaco', 'second_line'] },
    },
    {
      name: 'quill-delta',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['quill.css'],
          scripts: ['quill.js'],
          body: '<div id="editor"></div>',
          script: withRenderReady(`
            new Quill('#editor', { theme: 'snow', readOnly: true }).setContents([
              { insert: 'Dear ' }, { insert: data.customer, attributes: { bold: true } },
              { insert: '\\nfirst\\n', attributes: { list: 'ordered' } },
            ]);`),
        }),
        'quill.js': file('quill/dist/quill.js'),
        'quill.css': file('quill/dist/quill.snow.css'),
      }),
      expect: { text: ['Dear Ada Lovelace', 'first'] },
    },
    {
      name: 'tiptap-starter-kit',
      set: 'full',
      ready: 'nothing',
      files: () =>
        app(
          'full',
          `
          import { Editor } from '@tiptap/core';
          import StarterKit from '@tiptap/starter-kit';
          const { customer } = await (await fetch('/__payload')).json();
          new Editor({
            element: document.getElementById('app'), extensions: [StarterKit],
            content: '<h2>Letter</h2><p>Dear <strong>' + customer + '</strong></p><blockquote><p>quoted</p></blockquote>',
          });`,
        ),
      expect: { text: ['Dear Ada Lovelace', 'quoted'] },
    },
    {
      name: 'ace-by-brace',
      set: 'full',
      ready: 'renderReady',
      files: () =>
        app(
          'full',
          `
          import ace from 'brace';
          import 'brace/mode/json';
          import 'brace/theme/github';
          const editor = ace.edit('editor');
          editor.setOptions({ maxLines: Infinity, useWorker: false, theme: 'ace/theme/github' });
          editor.session.setUseWorker(false);
          editor.session.setMode('ace/mode/json');
          window.renderReady = fetch('/__payload').then((answer) => answer.json()).then(({ customer }) => new Promise((resolve) => {
            editor.renderer.once('afterRender', () => setTimeout(resolve, 50));
            editor.setValue(JSON.stringify({ customer }, null, 2), -1);
          }));`,
          { body: '<div id="editor" style="width:640px"></div>' },
        ),
      expect: { text: ['"customer"', 'Ada Lovelace'] },
    },
    {
      name: 'editorjs-blocks',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['editorjs.js'],
          body: '<div id="editor"></div>',
          script: withRenderReady(`
            await new EditorJS({
              holder: 'editor', readOnly: true,
              data: { blocks: [{ type: 'paragraph', data: { text: 'Dear ' + data.customer } }, { type: 'paragraph', data: { text: 'second' } }] },
            }).isReady;`),
        }),
        'editorjs.js': file('@editorjs/editorjs/dist/editorjs.umd.js'),
      }),
      expect: { text: ['Dear Ada Lovelace', 'second'] },
    },
    {
      name: 'prism-highlight',
      set: 'fast',
      ready: 'nothing',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['prism.css'],
          scripts: ['prism.js'],
          body: '<pre><code class="language-javascript">const answer = 42; // forty-two</code></pre>',
        }),
        'prism.js': file('prismjs/prism.js'),
        'prism.css': file('prismjs/themes/prism.css'),
      }),
      expect: { text: 'const answer = 42; // forty-two' },
    },
    {
      name: 'highlight-js-theme',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          styles: ['theme.css'],
          scripts: ['highlight.js'],
          body: '<pre><code class="language-python">def answer():\n    return "forty-two"</code></pre>',
          script: 'window.renderReady = Promise.resolve(hljs.highlightAll());',
        }),
        'highlight.js': file('@highlightjs/cdn-assets/highlight.min.js'),
        'theme.css': file('@highlightjs/cdn-assets/styles/github-dark.min.css'),
      }),
      expect: { text: 'return "forty-two"', ink: 0.02 },
    },
    {
      name: 'marked-and-dompurify',
      set: 'fast',
      ready: 'renderReady',
      print: { outline: true, format: 'A4' },
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['marked.js', 'purify.js'],
          body: '<article></article>',
          script: withRenderReady(`
            const text = '# ' + data.title + '\\n\\n## Months\\n\\n' + data.rows.map(({ month }) => '- ' + month).join('\\n') +
              '\\n\\n[more](https://example.org/more)\\n\\n<img src=x onerror="document.body.innerHTML = \\'\\'">';
            document.querySelector('article').innerHTML = DOMPurify.sanitize(marked.parse(text));`),
        }),
        'marked.js': file('marked/lib/marked.umd.js'),
        'purify.js': file('dompurify/dist/purify.min.js'),
      }),
      expect: { text: ['Yearly sales', 'December', 'more'] },
    },
    {
      name: 'markdown-it-table',
      set: 'full',
      ready: 'nothing',
      files: () =>
        app(
          'full',
          `
          import MarkdownIt from 'markdown-it';
          const { title, rows } = await (await fetch('/__payload')).json();
          document.getElementById('app').innerHTML = new MarkdownIt({ linkify: true }).render(
            '# ' + title + '\\n\\n| month | apples |\\n|---|---|\\n' + rows.map(({ month, apples }) => '| ' + month + ' | ' + apples + ' |').join('\\n') + '\\n\\nhttps://example.org');`,
        ),
      expect: { text: ['Yearly sales', 'December'] },
    },
    {
      name: 'showdown-article',
      set: 'full',
      ready: 'renderReady',
      files: ({ file }) => ({
        'index.html': page({
          scripts: ['showdown.js'],
          body: '<article></article>',
          script: withRenderReady(`
            document.querySelector('article').innerHTML = new showdown.Converter().makeHtml('## ' + data.title + '\\n\\n> quoted by *showdown*');`),
        }),
        'showdown.js': file('showdown/dist/showdown.min.js'),
      }),
      expect: { text: ['Yearly sales', 'quoted by showdown'] },
    },
    {
      name: 'ejs-in-the-browser',
      set: 'full',
      ready: 'nothing',
      files: () =>
        app(
          'full',
          `
          import ejs from 'ejs';
          const data = await (await fetch('/__payload')).json();
          document.getElementById('app').innerHTML = ejs.render('<h1><%= title %></h1><% for (const { month } of rows) { %><p><%= month %></p><% } %>', data);`,
        ),
      expect: { text: ['Yearly sales', 'December'] },
    },
  ],
};
