import { expect } from 'chai';
import {
  type CleanUpCounts,
  cleanUpScheduleId,
  workflowTypes,
} from '../../contracts/processes/workflows.ts';
import { sha256Of } from '../support/documents.ts';
import { poll } from '../support/poll.ts';
import { startService } from '../support/service.ts';
import { startForSuite } from '../support/suite-resources.ts';
import { connectTemporal } from '../support/temporal-client.ts';

/** The interval is so long that the schedule starts no run by itself during the test. */
const env = { CLEAN_UP_INTERVAL: '1000h' };

describe('the schedule of the clean-up', function () {
  this.timeout(90_000);
  const service = startForSuite(() => startService({ env }));

  it('is created by the worker; a run of it cleans up, and its result has the counts', async () => {
    const { database } = service();
    await using connection = await connectTemporal(service().env);
    const temporal = connection.client;
    const schedule = temporal.schedule.getHandle(cleanUpScheduleId);
    const { action, spec } = await schedule.describe();
    expect(action).to.include({ workflowType: workflowTypes.cleanUp });
    expect(spec.intervals?.map(({ every }) => every)).to.deep.equal([1000 * 3_600_000]);

    const { client } = await service().createWorkspace();
    const { uploadSession } = await client.createUploadSession({
      body: {
        createDeploy: { slug: 'document', name: 'Document' },
        files: [{ path: 'index.html', sha256: sha256Of('x'), size: 1, mime: 'text/html' }],
      },
    });
    const { sql } = database;
    await sql`update upload_sessions set expires_at = 1 where id = ${uploadSession.id}`;
    await schedule.trigger();
    const [run] = await poll('the run', async () => {
      const { recentActions } = (await schedule.describe()).info;
      return recentActions.length > 0 && recentActions;
    });
    if (run?.action.type !== 'startWorkflow') throw new Error('The schedule started no workflow.');
    const { workflowId, firstExecutionRunId } = run.action.workflow;
    const counts: CleanUpCounts = await temporal.workflow
      .getHandle(workflowId, firstExecutionRunId)
      .result();
    expect(counts).to.include({ expiredSessions: 1, sessionFiles: 1, transientOutputs: 0 });
    const [row] = await sql`select status from upload_sessions where id = ${uploadSession.id}`;
    expect(row).to.deep.include({ status: 'expired' });
  });
});
