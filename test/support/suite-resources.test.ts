import { expect } from 'chai';
import { shareBetweenSuites, startForSuite } from './suite-resources.ts';

class Resource implements AsyncDisposable {
  isRunning = true;
  async [Symbol.asyncDispose]() {
    this.isRunning = false;
  }
}

describe('a resource that suites share', () => {
  const started: Resource[] = [];
  const useResource = shareBetweenSuites(async () => {
    const resource = new Resource();
    started.push(resource);
    return resource;
  });

  it('does not start before a suite uses it', () => {
    expect(started).to.have.lengthOf(0);
  });

  describe('in the first suite', () => {
    const resource = useResource();

    it('runs', () => {
      expect(resource()).to.include({ isRunning: true });
    });
  });

  describe('in a suite that does not use it', () => {
    it('goes on running', () => {
      expect(started[0]).to.include({ isRunning: true });
    });
  });

  describe('in the last suite', () => {
    const resource = useResource();

    it('is the same one', () => {
      expect(resource()).to.equal(started[0]);
      expect(started).to.have.lengthOf(1);
    });
  });

  describe('after the last suite', () => {
    it('has stopped', () => {
      expect(started[0]).to.include({ isRunning: false });
    });
  });
});

describe('a resource of one suite', () => {
  let resource: (() => Resource) | undefined;

  describe('while the suite runs', () => {
    resource = startForSuite(async () => new Resource());

    it('runs', () => {
      expect(resource?.()).to.include({ isRunning: true });
    });
  });

  describe('after the suite', () => {
    it('has stopped', () => {
      expect(resource?.()).to.include({ isRunning: false });
    });
  });

  describe('before the suite runs', () => {
    const early = startForSuite(async () => new Resource());
    let error: unknown;
    try {
      early();
    } catch (thrown) {
      error = thrown;
    }

    it('cannot be used', () => {
      expect(String(error)).to.include('only in hooks and tests');
    });
  });
});
