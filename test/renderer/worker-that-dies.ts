// A worker that prints a document with an endless loop, until a test kills the worker. It sends its parent a message when the loop
// has started.
import { print, script, startRenderer } from './renderer-fixture.ts';

const [workFolder = ''] = process.argv.slice(2);
const renderer = await startRenderer({ workFolder, slots: 1, browsers: 2 });
await print(renderer, script(`console.error('looping'); for (;;) {}`), {
  onEvent: () => process.send?.('looping'),
});
