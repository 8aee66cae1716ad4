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
  faultOf,
  folderFor,
  page,
  print,
  processesOf,
  processStatus,
  script,
  startRenderer,
  until,
} from './renderer-fixture.ts';

describeForEngines('the life of browsers', function () {
  this.timeout(60_000);

  it('never lets two workspaces share a process', async () => {
    const workFolder = folderFor('shared');
    await using renderer = await startRenderer({ workFolder, slots: 1, browsers: 1 });
    await print(renderer, page('a'), { workspaceId: 'ws_a' });
    const ofA = (await processesOf(workFolder)).map(({ pid }) => pid);
    await print(renderer, page('b'), { workspaceId: 'ws_b' });
    await until(async () => !(await processesOf(workFolder)).some(({ pid }) => ofA.includes(pid)));
  });

  it('keeps browsers for interleaved workspaces, so that they are not launched again', async () => {
    await using renderer = await startRenderer({ slots: 1, browsers: 3 });
    const turn = async () => {
      await print(renderer, page('a'), { workspaceId: 'ws_a' });
      await print(renderer, page('b'), { workspaceId: 'ws_b' });
    };
    await turn();
    await until(() => renderer.stats().launches === 3);
    for (let times = 0; times < 3; times += 1) await turn();
    expect(renderer.stats()).to.include({ launches: 3, kills: 0, busySlots: 0 });
  });

  it('prints no more jobs at once than it has slots, first come first served', async () => {
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

  it('does not slow the neighbour of an endless loop', async () => {
    await using renderer = await startRenderer({ slots: 2, browsers: 3 });
    const cancel = new AbortController();
    const begun = Promise.withResolvers<void>();
    const looping = print(renderer, script(`console.error('begun'); for (;;) {}`), {
      signal: cancel.signal,
      workspaceId: 'ws_loop',
      onEvent: () => begun.resolve(),
    }).catch((error) => error);
    await begun.promise;
    for (let job = 0; job < 5; job += 1)
      await print(renderer, page('neighbour'), { limits: { renderTimeoutMs: 2_000 } });
    cancel.abort(new Error('enough'));
    expect(await looping).to.have.property('message', 'enough');
  });

  it('leaves no process, zombie or folder when it is closed, whatever it was doing', async () => {
    const workFolder = folderFor('closed');
    const renderer = await startRenderer({ workFolder });
    const begun = Promise.withResolvers<void>();
    const fault = faultOf(
      print(renderer, script(`console.error('begun'); for (;;) {}`), {
        onEvent: () => begun.resolve(),
      }),
    );
    await begun.promise;
    const pids = (await processesOf(workFolder)).map(({ pid }) => pid);
    expect(pids).not.to.have.length(0);
    await renderer[Symbol.asyncDispose]();
    expect((await fault).code).to.equal('render_crashed');
    await until(async () => {
      const statuses = await Promise.all(pids.map(processStatus));
      return statuses.every((status) => status.size === 0);
    });
    expect(existsSync(workFolder)).to.equal(false);
  });

  it('leaves no Chromium 5 s after its worker was killed in mid-loop, and empties the folder at the next start', async () => {
    const workFolder = folderFor('killed');
    const worker = fork(join(import.meta.dirname, 'worker-that-dies.ts'), [workFolder], {
      env: { ...process.env, RENDERER_ENGINE: engineUnderTest() },
    });
    await once(worker, 'message');
    expect(await processesOf(workFolder)).not.to.have.length(0);
    const killedAt = Date.now();
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await until(async () => (await processesOf(workFolder)).length === 0);
    expect(Date.now() - killedAt).to.be.lessThan(5_000);
    const left = await readdir(workFolder);
    await using renderer = await startRenderer({ workFolder, slots: 1, browsers: 1 });
    await print(renderer, page('again'));
    expect(await readdir(workFolder)).not.to.include.members(left);
  });
});

describeForEngines('the sandbox', function () {
  this.timeout(30_000);

  const folder = folderFor('unsandboxable');

  /** A Chromium that starts only without sandbox, as on a machine that does not permit one. */
  const unsandboxable = async (): Promise<string> => {
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
    const workFolder = folderFor('sandboxed');
    await using renderer = await startRenderer({ workFolder });
    expect(renderer.chromiumVersion).to.match(/^\d+\./);
    const renderers = async () =>
      (await processesOf(workFolder)).filter(({ type }) => type === 'renderer');
    await until(async () => (await renderers()).length > 0);
    for (const { pid } of await renderers()) {
      const status = await processStatus(pid);
      if (status.size === 0) continue;
      expect(status.get('Seccomp')).to.equal('2');
      expect(status.get('NSpid')?.split(/\s+/).length).to.be.greaterThan(1);
      expect(status.get('Uid')).not.to.match(/^0\b/);
    }
  });

  it('is required: without it nothing starts, and the error says what to do', async () => {
    const executablePath = await unsandboxable();
    const error = await startRenderer({ executablePath }).catch((e) => e);
    expect(error.message)
      .to.match(/RENDERER_ALLOW_NO_SANDBOX=1/)
      .and.to.match(/No usable sandbox/);
  });

  it('is done without only when the operator says so, and then loudly', async () => {
    const executablePath = await unsandboxable();
    const warnings: string[] = [];
    const silent = () => undefined;
    const warn = (_: object, message: string) => void warnings.push(message);
    const log = { debug: silent, info: silent, error: silent, warn };
    await using renderer = await startRenderer({ executablePath, allowNoSandbox: true, log });
    expect(warnings.join()).to.include('WITHOUT ITS SANDBOX');
    await print(renderer, page('x'));
  });

  it('is not blamed for a Chromium that does not exist', async () => {
    const error = await startRenderer({ executablePath: '/nowhere/chromium' }).catch((e) => e);
    expect(error.message).to.include('/nowhere/chromium').and.not.to.include('sandbox');
  });
});
