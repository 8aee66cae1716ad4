/** The longest that a resource may take to start: a service starts a database, an API, a worker and a browser. */
const startTimeoutMs = 120_000;

/**
 * Registers hooks in the suite that calls it: they start a resource before its first test and stop it after its last.
 *
 * @returns a function that gives the resource; it throws before the resource has started
 */
export function startForSuite<T extends AsyncDisposable>(start: () => Promise<T>): () => T {
  let resource: T | undefined;
  before(async function () {
    this.timeout(startTimeoutMs);
    resource = await start();
  });
  after(() => resource?.[Symbol.asyncDispose]());
  return () => requireStarted(resource);
}

/**
 * Shares one resource between suites. It starts before the first suite that uses it and stops after the last.
 *
 * @returns a function for suites to call, with the result of {@link startForSuite}
 */
export function shareBetweenSuites<T extends AsyncDisposable>(
  start: () => Promise<T>,
): () => () => T {
  let suitesLeft = 0;
  let starting: Promise<T> | undefined;
  const stop = async (): Promise<void> => {
    const resource = await starting?.catch(() => undefined);
    starting = undefined;
    await resource?.[Symbol.asyncDispose]();
  };
  // Mocha runs no hooks of suites that a filter (`-g`) leaves out, so that the count may never reach zero.
  after(stop);
  return () => {
    let resource: T | undefined;
    suitesLeft++;
    before(async function () {
      this.timeout(startTimeoutMs);
      starting ??= start();
      resource = await starting;
    });
    after(async () => {
      suitesLeft--;
      if (suitesLeft === 0) await stop();
    });
    return () => requireStarted(resource);
  };
}

function requireStarted<T>(resource: T | undefined): T {
  if (!resource) throw new Error('A suite may use its resources only in hooks and tests.');
  return resource;
}
