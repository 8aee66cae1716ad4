import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  chromiumPath,
  describeForEngines,
  engineUnderTest,
  listProcesses,
  page,
  print,
  processStatus,
  renderErrorOf,
  script,
  startRenderer,
  waitUntil,
  workFolderFor,
} from './renderer-fixture.ts';

describeForEngines('the browsers of a renderer', function () {
  this.timeout(60_000);

  it('are never shared by two workspaces', async () => {
    const workFolder = workFolderFor('shared');
    await using renderer = await startRenderer({ workFolder, slots: 1, browsers: 1 });
    await print(renderer, page('a'), { workspaceId: 'ws_a' });
    const pidsOfA = (await listProcesses(workFolder)).map(({ pid }) => pid);
    await print(renderer, page('b'), { workspaceId: 'ws_b' });
    await waitUntil(
      async () => !(await listProcesses(workFolder)).some(({ pid }) => pidsOfA.includes(pid)),
    );
  });

  it('are kept for interleaved workspaces, and not launched again', async () => {
    await using renderer = await startRenderer({ slots: 1, browsers: 3 });
    const printBoth = async () => {
      await print(renderer, page('a'), { workspaceId: 'ws_a' });
      await print(renderer, page('b'), { workspaceId: 'ws_b' });
    };
    await printBoth();
    await waitUntil(() => renderer.stats().launches === 3);
    for (let times = 0; times < 3; times += 1) await printBoth();
    expect(renderer.stats()).to.include({ launches: 3, kills: 0, busySlots: 0 });
  });

  it('print no more jobs at once than there are slots, in the order in which the jobs were requested', async () => {
    await using renderer = await startRenderer({ slots: 2, browsers: 2 });
    const order: number[] = [];
    let most = 0;
    const jobs = Array.from({ length: 8 }, async (_, job) => {
      await print(renderer, page('x'));
      order.push(job);
      most = Math.max(most, renderer.stats().busySlots);
    });
    await Promise.all(jobs);
    expect(most).to.be.at.most(2);
    expect(order.indexOf(7)).to.be.greaterThan(4);
  });

  it('do not slow other jobs when one of them loops endlessly', async () => {
    await using renderer = await startRenderer({ slots: 2, browsers: 3 });
    const cancel = new AbortController();
    const started = Promise.withResolvers<void>();
    const looping = print(renderer, script(`console.error('started'); for (;;) {}`), {
      signal: cancel.signal,
      workspaceId: 'ws_loop',
      onEvent: () => started.resolve(),
    }).catch((error) => error);
    await started.promise;
    for (let job = 0; job < 5; job += 1)
      await print(renderer, page('neighbour'), { limits: { renderTimeoutMs: 2_000 } });
    cancel.abort(new Error('The test has ended.'));
    expect(await looping).to.have.property('message', 'The test has ended.');
  });

  it('leave no process, zombie or folder when the renderer is closed during a job', async () => {
    const workFolder = workFolderFor('closed');
    const renderer = await startRenderer({ workFolder });
    const started = Promise.withResolvers<void>();
    const failure = renderErrorOf(
      print(renderer, script(`console.error('started'); for (;;) {}`), {
        onEvent: () => started.resolve(),
      }),
    );
    await started.promise;
    const pids = (await listProcesses(workFolder)).map(({ pid }) => pid);
    expect(pids).not.to.have.length(0);
    await renderer[Symbol.asyncDispose]();
    expect((await failure).code).to.equal('render_crashed');
    await waitUntil(async () => {
      const statuses = await Promise.all(pids.map(processStatus));
      return statuses.every((status) => status.size === 0);
    });
    expect(existsSync(workFolder)).to.equal(false);
  });

  it('end within 5 s after their worker was killed, and the next renderer empties the work folder', async () => {
    const workFolder = workFolderFor('killed');
    const worker = fork(join(import.meta.dirname, 'worker-that-dies.ts'), [workFolder], {
      env: { ...process.env, RENDERER_ENGINE: engineUnderTest() },
    });
    await once(worker, 'message');
    expect(await listProcesses(workFolder)).not.to.have.length(0);
    const killedAt = Date.now();
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await waitUntil(async () => (await listProcesses(workFolder)).length === 0);
    expect(Date.now() - killedAt).to.be.lessThan(5_000);
    const leftovers = await readdir(workFolder);
    await using renderer = await startRenderer({ workFolder, slots: 1, browsers: 1 });
    await print(renderer, page('again'));
    expect(await readdir(workFolder)).not.to.include.members(leftovers);
  });
});

describeForEngines('the sandbox', function () {
  this.timeout(30_000);

  const folder = workFolderFor('unsandboxable');

  /** Writes a script that starts Chromium only without a sandbox, like a machine that does not permit sandboxes. */
  const writeUnsandboxableChromium = async (): Promise<string> => {
    const path = join(folder, 'chromium');
    const source = `#!/bin/sh
      case "$*" in *--no-sandbox*) exec ${chromiumPath()} "$@";; esac
      echo 'No usable sandbox!' >&2
      exit 1`;
    await mkdir(folder, { recursive: true });
    await writeFile(path, source, { mode: 0o755 });
    return path;
  };
  after(() => rm(folder, { recursive: true, force: true }));

  it('is on: pages run with filtered system calls, in namespaces of their own, and never as root', async function () {
    if (process.platform !== 'linux') this.skip();
    const workFolder = workFolderFor('sandboxed');
    await using renderer = await startRenderer({ workFolder });
    expect(renderer.chromiumVersion).to.match(/^\d+\./);
    const renderers = async () =>
      (await listProcesses(workFolder)).filter(({ type }) => type === 'renderer');
    await waitUntil(async () => (await renderers()).length > 0);
    for (const { pid } of await renderers()) {
      const status = await processStatus(pid);
      if (status.size === 0) continue;
      expect(status.get('Seccomp')).to.equal('2');
      expect(status.get('NSpid')?.split(/\s+/).length).to.be.greaterThan(1);
      expect(status.get('Uid')).not.to.match(/^0\b/);
    }
  });

  it('is required: without it the renderer does not start, and the error says what to do', async () => {
    const executablePath = await writeUnsandboxableChromium();
    const error = await startRenderer({ executablePath }).catch((e) => e);
    expect(error.message)
      .to.match(/RENDERER_ALLOW_NO_SANDBOX=1/)
      .and.to.match(/No usable sandbox/);
  });

  it('may be missing only if the operator allows that, and then a warning is logged', async () => {
    const executablePath = await writeUnsandboxableChromium();
    const warnings: string[] = [];
    const silent = () => undefined;
    const warn = (_: object, message: string) => void warnings.push(message);
    const log = { debug: silent, info: silent, error: silent, warn };
    await using renderer = await startRenderer({ executablePath, allowNoSandbox: true, log });
    expect(warnings.join()).to.include('WITHOUT ITS SANDBOX');
    await print(renderer, page('x'));
  });

  it('is not blamed in the error when Chromium does not exist', async () => {
    const error = await startRenderer({ executablePath: '/nowhere/chromium' }).catch((e) => e);
    expect(error.message).to.include('/nowhere/chromium').and.not.to.include('sandbox');
  });
});
