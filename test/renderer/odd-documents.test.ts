import { expect } from 'chai';
import { RenderError, type Renderer } from '../../renderer/renderer.ts';
import { packageOf, page, print, script, startRenderer } from './renderer-fixture.ts';

/** Unusual things that a document can do, each with an example and its outcome: `printed`, or the pattern of the error. */
const documents: Readonly<Record<string, [html: string, outcome: 'printed' | RegExp]>> = {
  'closes its window': [script('window.close()'), 'printed'],
  'closes its window before it is ready': [
    script(
      'setTimeout(() => window.close(), 20); window.renderReady = new Promise((done) => setTimeout(done, 60))',
    ),
    'printed',
  ],
  'stops its own loading': [script('window.stop()'), 'printed'],
  'goes to about:blank': [script(`location.href = 'about:blank'`), 'printed'],
  'goes to a document that it made': [
    script(`location.href = URL.createObjectURL(new Blob(['<p>made</p>'], { type: 'text/html' }))`),
    'printed',
  ],
  'goes to what a script returns': [script(`location.href = 'javascript:"<p>new</p>"'`), 'printed'],
  'asks before it is left': [
    script(
      `onbeforeunload = (event) => event.preventDefault(); setTimeout(() => { location.href = '/b.html' }, 30)`,
    ),
    'printed',
  ],
  'changes its address': [
    script(`history.pushState({}, '', '/a/b/c'); location.hash = 'x'`),
    'printed',
  ],
  'reloads itself for ever': [
    script('setTimeout(() => location.reload(), 30)'),
    /render_timeout_exceeded.*navigated to another document \d+ times/,
  ],
  'refreshes itself for ever': [
    page('x', '<meta http-equiv="refresh" content="0">'),
    /render_timeout_exceeded.*navigated to another document \d+ times/,
  ],
  'removes its root': [script('document.documentElement.remove()'), 'printed'],
  'rewrites itself': [
    script(`onload = () => { document.open(); document.write('<p>written'); document.close() }`),
    'printed',
  ],
  'rewrites itself and does not close the new document': [
    script(`setTimeout(() => { document.open(); document.write('<p>written') }, 50)`),
    'printed',
  ],
  'recurses endlessly': [script('(function again() { again() })()'), 'printed'],
  'opens dialogs endlessly': [script('setInterval(() => alert(1), 10)'), 'printed'],
  'prints itself': [script('window.print()'), 'printed'],
  'is a frameset': [
    '<frameset cols="50%,50%"><frame src="b.html"><frame src="b.html"></frameset>',
    'printed',
  ],
  'opens a modal dialog': [
    page('<dialog id="d">x</dialog><script>d.showModal()</script>'),
    'printed',
  ],
  'asks for permissions': [
    script('Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => 0)'),
    'printed',
  ],
  'starts a download': [
    page('<a download href="data:text/plain,x" id="a">x</a><script>a.click()</script>'),
    'printed',
  ],
  'is empty': ['', 'printed'],
  'is only text': ['text', 'printed'],
  'defines renderReady as a number': [script('window.renderReady = 5'), 'printed'],
  'defines renderReady as null': [script('window.renderReady = null'), 'printed'],
  'throws when renderReady is read': [
    script(`Object.defineProperty(window, 'renderReady', { get() { throw new Error('no') } })`),
    'printed',
  ],
  'handles the rejection of renderReady itself': [
    script(
      `window.renderReady = Promise.reject(new Error('boom')); window.renderReady.catch(() => 0)`,
    ),
    /render_failed.*Error: boom \(\/:\d+:\d+\)$/,
  ],
};

describe('a document that', function () {
  this.timeout(30_000);
  let renderer: Renderer;
  before(async () => {
    renderer = await startRenderer({ slots: 2, browsers: 2 });
  });
  after(() => renderer[Symbol.asyncDispose]());

  for (const [action, [html, outcome]] of Object.entries(documents))
    it(`${action} ${outcome === 'printed' ? 'is printed, and its browser is kept' : 'fails with its own error'}`, async () => {
      const { kills } = renderer.stats();
      const files = { 'index.html': html, 'b.html': page('b') };
      const limits = { renderTimeoutMs: 4_000, loadTimeoutMs: 3_000 };
      const ended = await print(renderer, packageOf(files), { limits }).then(
        () => 'printed',
        (error: unknown) =>
          error instanceof RenderError ? `${error.code}: ${error.message}` : error,
      );
      if (outcome === 'printed') expect(ended).to.equal('printed');
      else expect(ended).to.match(outcome);
      // At a time limit the browser is killed, so only printed documents keep theirs.
      if (outcome === 'printed') expect(renderer.stats().kills).to.equal(kills);
    });
});
