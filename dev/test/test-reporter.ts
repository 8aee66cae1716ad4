import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

const { Runner } = Mocha;

/** Mocha's own report, and the real counts as JSON in the file that TEST_COUNTS_FILE names, for CI. */
export default class TestReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      const file = process.env.TEST_COUNTS_FILE;
      if (file) writeFileSync(file, JSON.stringify({ passed, failed, skipped }));
    });
  }
}
