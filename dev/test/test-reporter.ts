import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

const { Runner } = Mocha;

/** Prints Mocha's own report. For CI it also writes the counts, as JSON, to the file that TEST_COUNTS_FILE names. */
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
