import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cacheFolder } from './cache-folder.mjs';
import { findOnPath, isExecutable } from './executables.mjs';
import { runStep, startStep } from './progress.mjs';
import { tryWays } from './try-ways.mjs';

/** The last version that `go install` can build: later ones have replace directives. */
const goModule = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
/** temporal-dev.yaml sets matching.enableFairness, which came with server 1.29. */
const minimumServerVersion = [1, 29];
/** Short, so that the download fails within seconds where the network is closed. */
const connectTimeoutMs = 5_000;
const downloadTimeoutMs = 10 * 60_000;
/** A build takes 2 min 40 s on two cores [measured]; a slow single core takes several times that. */
const buildTimeoutMs = 30 * 60_000;

const help = `No Temporal CLI with server ${minimumServerVersion.join('.')} or later was found and none could be installed. Do one of:
  - install it so that \`temporal\` is on the PATH: https://docs.temporal.io/cli#install
  - install Go 1.25 or later, and we build it: https://go.dev/doc/install
  - use a server that runs elsewhere: TEMPORAL_ADDRESS=host:port npm start`;

/** @type {import('./try-ways.mjs').Way[]} */
const ways = [
  {
    name: 'a download',
    failure: 'The Temporal CLI could not be downloaded',
    install: () => installInto(download),
  },
  {
    name: 'a build with Go',
    failure: 'The Temporal CLI could not be built',
    install: () => installInto(buildWithGo),
  },
];

const cachedPath = () => join(cacheFolder(), 'temporal');

/**
 * Returns the path of a Temporal CLI. Where the machine has none, it is downloaded or built first.
 * @returns {Promise<string>}
 */
export async function ensureTemporal() {
  for (const path of [process.env.TEMPORAL_CLI_PATH, findOnPath(['temporal']), cachedPath()]) {
    if (path && isExecutable(path) && isUsable(path)) return path;
  }
  return tryWays(ways, help);
}

/** @param {(folder: string) => Promise<void>} install writes the file `temporal` into the folder */
async function installInto(install) {
  const folder = join(cacheFolder(), `temporal-install-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    await install(folder);
    const installed = join(folder, 'temporal');
    if (!isUsable(installed)) throw new Error('it was installed, but does not run');
    // A rename replaces the file in one step. Another clone may start from the same cache meanwhile.
    renameSync(installed, cachedPath());
    return cachedPath();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Downloads the CLI as Temporal's SDK does for its test server: temporal.download names the archive.
 * @see https://github.com/temporalio/sdk-core, ephemeral_server
 * @param {string} folder
 */
async function download(folder) {
  const step = startStep('download the Temporal CLI');
  try {
    const { archiveUrl, fileToExtract } = await findArchive();
    const archive = await fetch(archiveUrl, { signal: AbortSignal.timeout(downloadTimeoutMs) });
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
    const tar = startTar(folder, fileToExtract);
    await Promise.all([pipeline(archive.body, counted, tar.stdin), tar.extracted]);
    step.done();
  } catch (error) {
    step.clear();
    throw error;
  }
}

/** @returns {Promise<{ archiveUrl: string, fileToExtract: string }>} */
async function findArchive() {
  const query = new URLSearchParams({
    platform: process.platform,
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    format: 'tar.gz',
    'sdk-name': 'sdk-typescript',
    'sdk-version': readSdkVersion(),
  });
  const answer = await fetch(`https://temporal.download/cli/default?${query}`, {
    signal: AbortSignal.timeout(connectTimeoutMs),
  });
  if (!answer.ok) throw new Error(`temporal.download answered ${answer.status}`);
  return answer.json();
}

/**
 * @param {string} folder
 * @param {string} file the one to extract
 */
function startTar(folder, file) {
  const tar = spawn('tar', ['-xz', '-C', folder, '-f', '-', file], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const extracted = new Promise((resolve, reject) => {
    tar.once('error', reject);
    tar.once('close', (code) =>
      code === 0 ? resolve(undefined) : reject(new Error('tar failed')),
    );
  });
  return { stdin: tar.stdin, extracted };
}

/** @param {string} folder */
async function buildWithGo(folder) {
  const go = findOnPath(['go']);
  if (!go) throw new Error('there is no Go on the PATH');
  let downloaded = 0;
  let compiled = 0;
  await runStep({
    title: `build the Temporal CLI, some minutes, once (go install ${goModule})`,
    command: go,
    args: ['install', '-v', goModule],
    env: { ...process.env, GOBIN: folder },
    timeoutMs: buildTimeoutMs,
    isOptional: true,
    progress: (line) => {
      if (line.startsWith('go: downloading')) downloaded += 1;
      else if (!line.startsWith('go:')) compiled += 1;
      return `${downloaded} modules downloaded, ${compiled} packages compiled`;
    },
  });
}

/**
 * True if the binary runs and is new enough. Asking it takes 0.2 s, so a positive answer is kept as long as the file is the same.
 * @param {string} path
 */
function isUsable(path) {
  const { mtimeMs, size } = statSync(path);
  const fingerprint = `${path} ${mtimeMs} ${size}`;
  const checked = join(cacheFolder(), 'temporal-checked');
  try {
    if (readFileSync(checked, 'utf8') === fingerprint) return true;
  } catch {
    // No binary was checked before.
  }
  try {
    const version = execFileSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
    const [major = 0, minor = 0] = (/Server (\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
    const [minMajor = 0, minMinor = 0] = minimumServerVersion;
    if (major < minMajor || (major === minMajor && minor < minMinor)) return false;
    mkdirSync(cacheFolder(), { recursive: true });
    writeFileSync(checked, fingerprint);
    return true;
  } catch {
    return false;
  }
}

function readSdkVersion() {
  const description = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return JSON.parse(description).dependencies['@temporalio/client'];
}

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
