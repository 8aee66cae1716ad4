import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cacheFolder } from './cache-folder.mjs';
import { findOnPath, isExecutable } from './executables.mjs';
import { runStep, startStep } from './progress.mjs';

// The last version that `go install` can build: later ones carry replace directives.
const GO_MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
// matching.enableFairness, which temporal-dev.yaml sets, came with server 1.29.
const MIN_SERVER_VERSION = [1, 29];
// Where the network is closed, we want to know within seconds.
const CONNECT_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
// 2 min 40 s on two cores [measured]; a slow single core takes several times that.
const BUILD_TIMEOUT_MS = 30 * 60_000;

const HELP = `No Temporal CLI with server ${MIN_SERVER_VERSION.join('.')} or later was found and none could be installed. Do one of:
  - install it so that \`temporal\` is on the PATH: https://docs.temporal.io/cli#install
  - install Go 1.25 or later, and we build it: https://go.dev/doc/install
  - use a server that runs elsewhere: TEMPORAL_ADDRESS=host:port npm start`;

/**
 * The path of a Temporal CLI that runs, downloaded or built first where the machine has none.
 * @returns {Promise<string>}
 */
export async function ensureTemporal() {
  const cached = join(cacheFolder(), 'temporal');
  for (const path of [process.env.TEMPORAL_CLI_PATH, findOnPath(['temporal']), cached]) {
    if (path && isExecutable(path) && isUsable(path)) return path;
  }
  for (const install of [download, buildWithGo]) {
    const folder = join(cacheFolder(), `temporal-install-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    try {
      await install(folder);
      const installed = join(folder, 'temporal');
      if (!isUsable(installed)) throw new Error('the Temporal CLI that was installed does not run');
      renameSync(installed, cached); // in one step: another clone may be starting from the same cache
      return cached;
    } catch (error) {
      console.log(`  ${error instanceof Error ? error.message : error}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  throw new Error(HELP);
}

/**
 * Downloads as Temporal's SDK does for its test server: temporal.download names the archive.
 * @see https://github.com/temporalio/sdk-core, ephemeral_server
 * @param {string} folder
 */
async function download(folder) {
  const step = startStep('download the Temporal CLI');
  try {
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    const query = new URLSearchParams({
      platform: process.platform,
      arch: architecture,
      format: 'tar.gz',
      'sdk-name': 'sdk-typescript',
      'sdk-version': sdkVersion(),
    });
    const answer = await fetch(`https://temporal.download/cli/default?${query}`, {
      signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`temporal.download answered ${answer.status}`);
    const { archiveUrl, fileToExtract } = await answer.json();
    const archive = await fetch(archiveUrl, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    if (!archive.ok || !archive.body)
      throw new Error(`the archive's server answered ${archive.status}`);
    const total = Number(archive.headers.get('content-length') ?? 0);
    let received = 0;
    const counted = new Transform({
      transform(chunk, _encoding, done) {
        received += chunk.length;
        step.update(`${megabytes(received)}${total ? ` of ${megabytes(total)}` : ''} MB`);
        done(null, chunk);
      },
    });
    const tar = spawn('tar', ['-xz', '-C', folder, '-f', '-', fileToExtract], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const extracted = new Promise((resolve, reject) => {
      tar.once('error', reject);
      tar.once('close', (code) =>
        code === 0 ? resolve(undefined) : reject(new Error('tar failed')),
      );
    });
    await Promise.all([pipeline(archive.body, counted, tar.stdin), extracted]);
    step.done();
  } catch (error) {
    step.failed('not possible');
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new Error(`the Temporal CLI could not be downloaded: ${cause}`);
  }
}

/** @param {string} folder */
async function buildWithGo(folder) {
  const go = findOnPath(['go']);
  if (!go) throw new Error('the Temporal CLI cannot be built: there is no Go on the PATH');
  let downloaded = 0;
  let compiled = 0;
  await runStep({
    title: `build the Temporal CLI, some minutes, once (go install ${GO_MODULE})`,
    command: go,
    args: ['install', '-v', GO_MODULE],
    env: { ...process.env, GOBIN: folder },
    timeoutMs: BUILD_TIMEOUT_MS,
    progress: (line) => {
      if (line.startsWith('go: downloading')) downloaded += 1;
      else if (!line.startsWith('go:')) compiled += 1;
      return `${downloaded} modules downloaded, ${compiled} packages compiled`;
    },
  });
}

/**
 * Whether the binary runs and is new enough. It takes 0.2 s to say so, so a positive answer is kept
 * for as long as the file is the same.
 * @param {string} path
 */
function isUsable(path) {
  const { mtimeMs, size } = statSync(path);
  const fingerprint = `${path} ${mtimeMs} ${size}`;
  const checked = join(cacheFolder(), 'temporal-checked');
  try {
    if (readFileSync(checked, 'utf8') === fingerprint) return true;
  } catch {
    // Nothing was checked yet.
  }
  try {
    const version = execFileSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
    const [major = 0, minor = 0] = (/Server (\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
    const [minMajor = 0, minMinor = 0] = MIN_SERVER_VERSION;
    if (major < minMajor || (major === minMajor && minor < minMinor)) return false;
    mkdirSync(cacheFolder(), { recursive: true });
    writeFileSync(checked, fingerprint);
    return true;
  } catch {
    return false;
  }
}

function sdkVersion() {
  const description = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return JSON.parse(description).dependencies['@temporalio/client'];
}

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
