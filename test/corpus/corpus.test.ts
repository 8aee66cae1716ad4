import { expect } from 'chai';
import { kinds } from './corpus.ts';
import { installPackages } from './install.ts';
import { judge } from './judge.ts';
import { type Printer, printTimeoutMs } from './printer.ts';
import { startReference } from './reference.ts';
import { startRendererPrinter } from './renderer-printer.ts';

/** Long enough to install about 35 packages over a slow connection. */
const installTimeoutMs = 180_000;

// Only documents of the set `fast`. `npm run corpus` prints all documents.
describe('documents that use packages of other authors', () => {
  const resources = new AsyncDisposableStack();
  let service: Printer;
  let reference: Printer;

  before(async function () {
    this.timeout(installTimeoutMs);
    await installPackages('fast');
    service = resources.use(await startRendererPrinter({ slots: 1 }));
    reference = resources.use(await startReference());
  });
  after(() => resources.disposeAsync());

  for (const { kind, documents } of kinds) {
    const fast = documents.filter(({ set }) => set === 'fast');
    for (const document of fast)
      it(`are printed as page.pdf() prints them: ${kind}, ${document.name}`, async function () {
        this.timeout(3 * printTimeoutMs);
        const { verdict, findings } = await judge(document, service, reference);
        expect(verdict, findings.join('\n')).to.be.oneOf(['same', 'differs with a reason']);
      });
  }
});
